import { expect, test } from 'vitest'
import { exampleQuestions } from './suggest-questions.ts'

test('an empty project still has an example question', () => {
  expect(exampleQuestions({ mentions: [], decisions: [] })).toHaveLength(1)
})

test('mentions have the form that the analyst parses', () => {
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
