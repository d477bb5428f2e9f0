import { expect, test } from 'vitest'
import { usageOf, type ReadQuery } from './table-usage.ts'

const read = (sql: string, times: number, ...tables: string[]): ReadQuery => ({
  query: { sql, times, lastSeen: undefined },
  tables: tables.map((name) => name.split('.')),
})
const orders = { database: 'shop', schema: 'main', name: 'orders' }

test('usage reports the count, the tables used together and the queries', () => {
  const history = [
    read('a', 5, 'main.orders', 'customers'),
    read('b', 7, 'Orders'),
    read('c', 100, 'customers'),
    read('d', 1, 'other.orders'),
    read('e', 2, 'orders', 'customers', 'lines'),
  ]
  expect(usageOf(orders, history)).toEqual({
    times: 14,
    joins: [
      { table: 'customers', times: 7 },
      { table: 'lines', times: 2 },
    ],
    queries: [
      { sql: 'b', times: 7 },
      { sql: 'a', times: 5 },
      { sql: 'e', times: 2 },
    ],
  })
})

test('a table that no query names has no usage', () => {
  expect(usageOf(orders, [read('d', 1, 'other.orders')])).toBeUndefined()
})
