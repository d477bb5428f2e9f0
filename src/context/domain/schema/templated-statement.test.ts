import { describe, expect, test } from 'vitest'
import { indexedColumn, openValueIndex } from '../values/value-index.ts'
import { templateOf } from './templated-statement.ts'

const column = (name: string, type = 'VARCHAR') => ({ name, type })
const TABLES = [
  {
    schema: 'main',
    name: 'orders',
    columns: [column('id', 'INTEGER'), column('city'), column('amount', 'INTEGER'), column('ship_city')],
  },
  { schema: 'main', name: 'order_items', columns: [column('price', 'INTEGER')] },
  { schema: 'main', name: 'customers', columns: [column('city'), column('status')] },
]
const INDEX = openValueIndex(
  [
    [0, 1, indexedColumn('city', ['Bern', 'Oslo'], false)],
    [0, 3, indexedColumn('ship_city', ['Oslo', 'Rome'], false)],
    [2, 1, indexedColumn('status', ['Active', 'Gone'], false)],
  ],
  () => true,
)
const of = (question: string) => templateOf(question, TABLES, INDEX.find(question))

describe('a question without a model', () => {
  test('is answered by a template that counts, adds up or lists', () => {
    expect(of('How many orders are there?')).toEqual({ table: 0, kind: 'count', measure: undefined, filters: [] })
    expect(of('How many orders from bern are there?')).toMatchObject({ filters: [{ column: 'city', value: 'Bern' }] })
    expect(of('What is the total amount of the orders in Bern?')).toMatchObject({ kind: 'sum', measure: 'amount' })
    expect(of('List the active customers')).toMatchObject({ table: 2, kind: 'list', filters: [{ value: 'Active' }] })
    expect(of('How many order items are there?')).toMatchObject({ table: 1 })
  })

  test.each([
    ['a word is not part of it', 'How many orders were late?'],
    ['a time is named', 'How many orders from Bern last month?'],
    ['a value stands in two columns', 'How many orders from Oslo?'],
    ['a value stands in another table', 'How many active orders?'],
    ['two tables are named', 'How many customers have orders?'],
    ['the measure is not named', 'What is the total of the orders?'],
    ['it groups', 'How many orders per city?'],
    ['it negates', 'How many orders are not from Bern?'],
    ['it asks for something else', 'Why do orders from Bern grow?'],
    ['a number limits it', 'List 5 orders'],
  ])('is not answered by a template if %s', (_why, question) => {
    expect(of(question)).toBeUndefined()
  })
})
