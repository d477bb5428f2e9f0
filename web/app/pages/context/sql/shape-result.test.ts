import { expect, test } from 'vitest'
import { filterRows, firstAxes, groupedBy } from './shape-result.ts'

const RESULT = {
  columns: [
    { name: 'city', type: 'TEXT' },
    { name: 'orders', type: 'INTEGER' },
  ],
  rows: [
    ['Bern', 12],
    ['Lyon', 7],
    [null, 12],
  ],
}

test('keeps rows that contain every word, in any cell and case', () => {
  expect(filterRows(RESULT, 'BERN 12')).toEqual([['Bern', 12]])
  expect(filterRows(RESULT, '12')).toHaveLength(2)
  expect(filterRows(RESULT, ' ')).toBe(RESULT.rows)
  expect(filterRows(RESULT, 'Oslo')).toEqual([])
})

test('groups a statement by a column, without its semicolon and with the name quoted', () => {
  const { sql, database } = groupedBy({ sql: 'SELECT * FROM orders ; ', database: 'shop' }, 'sta"te')
  expect(database).toBe('shop')
  expect(sql).toBe(
    'SELECT "sta""te", count(*) AS row_count\nFROM (\nSELECT * FROM orders\n) AS rows_of\nGROUP BY "sta""te"\nORDER BY row_count DESC',
  )
})

test('chooses text against a number for a first chart, or nothing', () => {
  expect(firstAxes(RESULT)).toEqual({ x: 'city', y: 'orders' })
  expect(firstAxes({ columns: [{ name: 'n', type: 'INTEGER' }], rows: [] })).toBeUndefined()
})
