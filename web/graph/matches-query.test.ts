import { expect, test } from 'vitest'
import { matchesQuery } from './matches-query.ts'

test.each([
  ['', true],
  ['12', true],
  ['d12', true],
  ['D012', true],
  ['1', true],
  ['2', false],
  ['d2', false],
  ['money cents', true],
  ['CENTS', true],
  ['money euros', false],
  ['12 cents', false],
])('searching %j for "D12 Money is integer cents"', (query, expected) =>
  expect(matchesQuery({ num: 12, title: 'Money is integer cents' }, query)).toBe(expected),
)
