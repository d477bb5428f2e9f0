import { expect, test } from 'vitest'
import { memoryDraftBody } from '../../../../../src/analyst/domain/user-memory/memory-draft.ts'
import { editableText, testFile, withText } from './draft-words.ts'

const MEMORY = {
  kind: 'memory',
  body: memoryDraftBody({
    category: 'global_rule',
    content: 'Show dates as 1 December.',
    evidence: { words: 'From now on show me dates as 1 December' },
    scope: 'user',
  }),
} as const

test('only the sentence of a memory is edited, and its evidence is kept', () => {
  expect(editableText(MEMORY)).toBe('Show dates as 1 December.')
  const body = withText(MEMORY, ' Show dates in full. ')
  expect(editableText({ kind: 'memory', body })).toBe('Show dates in full.')
  expect(JSON.parse(body)).toMatchObject({ category: 'global_rule', evidence: { words: expect.any(String) } })
})

test('a rule, a test and an invalid memory are edited as a whole', () => {
  for (const kind of ['rule', 'test', 'memory'] as const) {
    expect(editableText({ kind, body: 'Net of refunds.' })).toBe('Net of refunds.')
    expect(withText({ kind, body: 'Net of refunds.' }, 'Gross.')).toBe('Gross.')
  }
})

test('converts the file of an applied case to its name in Tests', () => {
  expect(testFile('tests/feedback/late.yaml')).toBe('feedback/late.yaml')
  expect(testFile('.ken/tests/late.yaml:12')).toBe('late.yaml')
  expect(testFile(undefined)).toBeUndefined()
})
