import { expect, test } from 'vitest'
import { completeSql, tablesNamed } from './complete-sql.ts'

const TABLES = [{ table: 'main.orders', rows: 2120 }, { table: 'main.customers' }]
const COLUMNS = [
  { name: 'id', type: 'INTEGER', table: 'main.orders' },
  { name: 'total_cents', type: 'INTEGER', table: 'main.orders' },
  { name: 'city', type: 'TEXT', table: 'main.customers' },
]
const labels = (text: string): readonly string[] =>
  completeSql({ text, at: text.length }, { tables: TABLES, columns: COLUMNS })!.choices.map(({ label }) => label)

test('finds the tables of a statement by full name, short name and alias', () => {
  const names = TABLES.map(({ table }) => table)
  expect(tablesNamed('select * from orders o join "main"."customers" as c on 1=1', names)).toEqual([
    'main.orders',
    'main.customers',
  ])
  expect(tablesNamed('select 1 from elsewhere', names)).toEqual([])
})

test('offers only the columns of the table that an alias names', () => {
  expect(labels('select * from orders o join customers c on c.')).toEqual(['city'])
  expect(labels('select * from orders where orders.')).toEqual(['id', 'total_cents'])
})

test('offers columns, then tables with their rows, then keywords', () => {
  const told = completeSql({ text: 'select ', at: 7 }, { tables: TABLES, columns: COLUMNS })!
  expect(told.from).toBe(7)
  expect(told.choices.slice(0, 5)).toEqual([
    { label: 'id', detail: 'integer, orders' },
    { label: 'total_cents', detail: 'integer, orders' },
    { label: 'city', detail: 'text, customers' },
    { label: 'main.orders', detail: 'table, 2,120 rows' },
    { label: 'main.customers', detail: 'table' },
  ])
  expect(labels('select ')).toContain('GROUP BY')
})

test('a keyword after a table is not its alias', () => {
  expect(labels('select * from orders where where.')).toContain('SELECT')
})
