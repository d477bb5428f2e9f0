import { expect, test } from 'vitest'
import { completeSql, type CompletionNames } from './complete-sql.ts'

const NAMES: CompletionNames = {
  folds: 'none',
  quote: (name) => `"${name}"`,
  tables: [
    { schema: 'main', name: 'orders', columns: ['id', 'customer_id', 'amount', 'order'] },
    { schema: 'main', name: 'customers', columns: ['id', 'name', 'Order Count'] },
    { schema: 'crm', name: 'Visits', columns: ['at', 'who'] },
  ],
}
const complete = (text: string, names = NAMES) => {
  const [before, after = ''] = text.split('|')
  return completeSql(before!, after, names).choices
}

test.each([
  ['SELECT * FROM ord', ['orders']],
  ['SELECT * FROM orders o JOIN cus', ['customers']],
  ['SELECT * FROM orders, cus', ['customers']],
  ['SELECT o.cu| FROM orders o', ['o.customer_id']],
  ['SELECT * FROM orders AS o WHERE o.a', ['o.amount']],
  ['SELECT * FROM orders WHERE orders.am', ['orders.amount']],
  ['SELECT amo| FROM orders', ['amount']],
  ['SELECT * FROM crm.', ['crm.Visits']],
  ['sel', ['select']],
  ['SEL', ['SELECT']],
  ['SELECT * FROM customers c WHERE c.ord', ['c."Order Count"']],
  ['SELECT * FROM orders o WHERE o.ord', ['o."order"']],
  ['SELECT "Order C', ['"Order Count"']],
  ['SELECT "Order Count" FROM cus', ['customers']],
  ["SELECT * FROM orders WHERE note = 'cus", []],
  ['SELECT 1; SELECT na| FROM customers', ['name']],
  ['SELECT zzz', []],
] as const)('%s', (text, choices) => expect(complete(text)).toEqual(choices))

test('names with capitals are quoted if the dialect requires it', () => {
  expect(complete('SELECT * FROM vis', { ...NAMES, folds: 'lower' })).toEqual(['"Visits"'])
  const snowflake: CompletionNames = {
    ...NAMES,
    folds: 'upper',
    tables: [{ schema: 'PUBLIC', name: 'ORDERS', columns: [] }],
  }
  expect(complete('SELECT * FROM ord', snowflake)).toEqual(['orders'])
})

test('offers the columns of the table if nothing is typed yet', () => {
  expect(complete('SELECT * FROM orders WHERE ')).toEqual(['id', 'customer_id', 'amount', '"order"'])
})
