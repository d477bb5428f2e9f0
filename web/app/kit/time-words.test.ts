import { expect, test } from 'vitest'
import { dayWords } from './time-words.ts'

test('the day of a date or a time is written out, and an invalid one is returned unchanged', () => {
  expect(dayWords('2026-05-12')).toBe('12 May 2026')
  expect(dayWords('2026-05-12T23:59:00.000Z')).toBe('12 May 2026')
  expect(dayWords('yesterday')).toBe('yesterday')
})
