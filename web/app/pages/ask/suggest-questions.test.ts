import { expect, test } from 'vitest'
import { exampleQuestions } from './suggest-questions.ts'

test('a project that holds nothing yet is still asked something', () => {
  expect(exampleQuestions({ mentions: [], decisions: [] })).toHaveLength(1)
})

test('what a project holds is named as the analyst knows it', () => {
  const questions = exampleQuestions({
    mentions: [
      { kind: 'skill', name: 'weekly', mention: '/weekly' },
      { kind: 'table', name: 'main.orders', mention: '@main.orders' },
    ],
    decisions: ['Ship on Tuesdays'],
  })
  expect(questions.join('\n')).toContain('@main.orders')
  expect(questions.join('\n')).toContain('/weekly')
  expect(questions.join('\n')).toContain('Ship on Tuesdays')
})
