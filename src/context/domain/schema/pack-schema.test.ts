import { expect, test } from 'vitest'
import { estimateTokens } from '../context-project/manifest.ts'
import { packSchema, type PackedTable } from './pack-schema.ts'

const wide: PackedTable = {
  name: 'sales.orders',
  share: 1,
  about: 'One row per order.',
  columns: Array.from({ length: 200 }, (_, i) => ({
    name: `c${i}`,
    line: `- c${i}: integer · a number that somebody keeps here`,
    isKey: i === 0,
    score: i === 150 ? 3 : 0,
  })),
}
const small: PackedTable = {
  name: 'sales.stores',
  share: 0.6,
  about: '',
  columns: [{ name: 'id', line: '- id: integer · primary', isKey: true, score: 0 }],
}
const joins = [{ from: 'sales.orders', to: 'sales.stores', on: 'sales.orders.c0 = sales.stores.id' }]

test('stays within the budget and includes the named columns and the keys', () => {
  const text = packSchema([wide, small], joins, 400)
  expect(estimateTokens(text)).toBeLessThanOrEqual(400)
  expect(text).toContain('- c150: integer')
  expect(text).toContain('- c0: integer')
  expect(text).toContain('## sales.stores')
  expect(text).toMatch(/also c\d+, .*\nand \d+ more columns/)
})

test('lists further tables by their column names until the budget is used', () => {
  const others = Array.from({ length: 40 }, (_, i) => ({ ...small, name: `sales.t${i}`, share: 0.01 }))
  const text = packSchema([wide, ...others], joins, 1_000)
  expect(text).toContain('## sales.t9\nalso id')
  expect(estimateTokens(text)).toBeGreaterThan(950)
  expect(estimateTokens(text)).toBeLessThanOrEqual(1_000)
  expect(text.match(/^- c\d+: /gm)!.length).toBeGreaterThan(30)
})

test('columns of which only the type is known share a line', () => {
  const bare = ['id', 'a', 'b', 'day'].map((name) => ({
    name,
    line: `- ${name}: ${name === 'day' ? 'DATE' : 'INTEGER'}`,
    isKey: false,
    score: 0,
    ...(name !== 'id' && { onlyType: name === 'day' ? 'DATE' : 'INTEGER' }),
  }))
  const text = '## t\n- id: INTEGER\n- a, b: INTEGER\n- day: DATE'
  expect(packSchema([{ name: 't', share: 1, about: '', columns: bare }], [], 1_000)).toBe(text)
})

test('includes everything that fits', () => {
  expect(packSchema([small], joins, 1_000)).toBe('## sales.stores\n- id: integer · primary')
  expect(packSchema([wide, small], joins, 100_000)).toMatch(
    /Joins nobody declared:\n- sales\.orders\.c0 = sales\.stores\.id$/,
  )
})
