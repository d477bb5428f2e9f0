import { describe, expect, test } from 'vitest'
import { samplePercent } from '../sql/dialect.ts'
import { profileScope } from './profile-scope.ts'

const rows = (count: number) => ({ kind: 'table' as const, rows: { count, exact: true } })

describe('profile scope', () => {
  test('covers the whole table up to the row limit', () => {
    expect(profileScope(rows(1_000_000), { columns: 20, maxRows: 1_000_000 })).toBe('all')
    expect(profileScope(rows(1_000_001), { columns: 20, maxRows: 1_000_000 })).toEqual({
      rows: 1_000_000,
      of: 1_000_001,
    })
  })

  test('reads fewer rows of a wide table, down to a minimum', () => {
    expect(profileScope(rows(900_000), { columns: 500, maxRows: 1_000_000 })).toEqual({ rows: 100_000, of: 900_000 })
    expect(profileScope(rows(900_000), { columns: 50_000, maxRows: 1_000_000 })).toEqual({ rows: 10_000, of: 900_000 })
  })

  test('reads a view, which has no row count, from the start up to the limit', () => {
    expect(profileScope({ kind: 'view', rows: undefined }, { columns: 3, maxRows: 500 })).toEqual({
      rows: 500,
      of: undefined,
    })
  })
})

test('a percentage is never 0 and never above 100', () => {
  expect(samplePercent(1, 1e12)).toBe('0.0001')
  expect(samplePercent(99, 100)).toBe('100.0000')
})
