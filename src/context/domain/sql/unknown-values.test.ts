import { expect, test } from 'vitest'
import { STANDARD_LEX, type SqlDialect } from './dialect.ts'
import { unknownValues } from './unknown-values.ts'

const dialect = { name: 'any', grammar: { lex: STANDARD_LEX } } as unknown as SqlDialect
const tables = [
  {
    schema: 'main',
    name: 'orders',
    columns: [
      { name: 'status', values: ['new', 'paid', "can't ship"] },
      { name: 'note' },
      { name: 'kind', values: ['a'] },
    ],
  },
  { schema: 'main', name: 'parts', columns: [{ name: 'kind' }] },
]
const wrong = (where: string): readonly string[] =>
  unknownValues(`SELECT * FROM orders o WHERE ${where}`, dialect, tables).map(({ literal }) => literal)

test.each([
  ["status = 'Paid'", ['Paid']],
  ["o.status = 'shipped'", ['shipped']],
  ["'x' = 'y' AND status <> 'open'", ['open']],
  ["status != 'open'", ['open']],
  ["status IN ('new', 'open', 'closed')", ['open', 'closed']],
  ["status NOT IN ('gone')", ['gone']],
  [`"status" = 'open' -- status = 'other'`, ['open']],
])('%s filters by a value the column does not have', (where, literals) => {
  expect(wrong(where)).toEqual(literals)
})

test.each([
  ["status = 'paid'"],
  ["status = 'can''t ship'"],
  ["note = 'anything'"],
  ["lower(status) = 'Paid'"],
  ["status LIKE 'Pa%'"],
  ["status >= 'b'"],
  ["status > 'zzz'"],
  ["status = 'pa' || 'id'"],
  ['status IN (SELECT kind FROM parts)'],
  ["kind = 'zzz'"],
  ['status = $1'],
  ["status = 'unclosed"],
])('%s may match, as far as known', (where) => {
  expect(wrong(where)).toEqual([])
})

test('suggests the nearest value', () => {
  const [found] = unknownValues("SELECT 1 FROM orders WHERE status = 'PAID'", dialect, tables)
  expect(found).toEqual({
    column: 'main.orders.status',
    literal: 'PAID',
    values: ['new', 'paid', "can't ship"],
    near: 'paid',
  })
})
