import { expect, test } from 'vitest'
import { brokenWords } from './run-words.ts'

test('broken cases are named beside the share that passed, which leaves them out', () => {
  expect(brokenWords({ broken: 2 })).toBe(', 2 broken')
  expect(brokenWords({ broken: 0 })).toBe('')
})
