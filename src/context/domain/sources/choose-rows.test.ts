import { expect, test } from 'vitest'
import { chooseRows } from './choose-rows.ts'

test('chooses a few rows that cover rare values, in sample order', () => {
  const rows = Array.from({ length: 200 }, (_, i) => [
    i,
    i === 77 ? 'rare' : 'usual',
    i === 130 ? null : i === 131 ? '' : `t${i}`,
  ])
  const chosen = chooseRows(rows, [{ type: 'INTEGER' }, { type: 'VARCHAR' }, { type: 'VARCHAR' }], 6)
  expect(chosen.map(([id]) => id)).toEqual(expect.arrayContaining([0, 77, 130, 131, 199]))
  expect(chosen).toHaveLength(6)
  expect(chosen.map(([id]) => id)).toEqual(chosen.map(([id]) => Number(id)).toSorted((a, b) => a - b))
})

test('chooses early and late times', () => {
  const rows = Array.from({ length: 40 }, (_, i) => [`2026-01-${String(1 + ((i * 7) % 28)).padStart(2, '0')}`])
  const days = chooseRows(rows, [{ type: 'DATE' }], 5).map(([day]) => Number(String(day).slice(-2)))
  expect(Math.min(...days)).toBeLessThan(8)
  expect(Math.max(...days)).toBeGreaterThan(21)
})
