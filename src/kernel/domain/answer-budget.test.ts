import { expect, test } from 'vitest'
import { beginning, ending, fitting } from './answer-budget.ts'

test('cuts a text at a line end, and never inside a character', () => {
  expect(beginning('one\ntwo\nthree', 9)).toEqual({ text: 'one\ntwo', left: 6 })
  expect(beginning('one', 3)).toEqual({ text: 'one', left: 0 })
  expect(beginning('ab😀cd', 3)).toEqual({ text: 'ab', left: 4 })
  expect(ending('one\ntwo\nthree', 9)).toEqual({ text: 'three', left: 8 })
  expect(ending('ab😀cd', 3)).toEqual({ text: 'cd', left: 4 })
})

test('returns the items that fit, and at least one', () => {
  expect(fitting([3, 3, 3], 7, (n) => n)).toEqual([3, 3])
  expect(fitting([9, 1], 7, (n) => n)).toEqual([9])
  expect(fitting([], 7, (n: number) => n)).toEqual([])
})
