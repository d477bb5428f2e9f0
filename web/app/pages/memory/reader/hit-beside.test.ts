import { expect, test } from 'vitest'
import { hitBeside } from './hit-beside.ts'

test('steps through hits in order and wraps around, even from a position between two hits', () => {
  const hits = [2, 5, 9]
  expect([hitBeside(hits, 2, 1), hitBeside(hits, 3, 1), hitBeside(hits, 9, 1)]).toEqual([5, 5, 2])
  expect([hitBeside(hits, 9, -1), hitBeside(hits, 6, -1), hitBeside(hits, 2, -1)]).toEqual([5, 5, 9])
  expect(hitBeside([], 4, 1)).toBe(4)
})
