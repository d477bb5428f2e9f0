import { expect, test } from 'vitest'
import { rangesOver } from './use-turns.ts'

test('returns only the ranges that cover the visible turns', () => {
  expect(rangesOver(0, 0)).toEqual([0])
  expect(rangesOver(19, 20)).toEqual([0, 1])
  expect(rangesOver(45, 85)).toEqual([2, 3, 4])
  expect(rangesOver(5, 4)).toEqual([])
})
