import { afterEach, beforeEach, expect, test } from 'vitest'
import { listTables } from '../../src/context/operations/list-tables.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

const folder = 'databases/type=sqlite/database=shop'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
  desk.sqlite(
    'shop.db',
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, secret_no INTEGER)',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status INTEGER, secret_no INTEGER)',
    'CREATE TABLE lines (order_id INTEGER REFERENCES orders (id), article TEXT, status INTEGER)',
    'CREATE TABLE wishes (customer_id INTEGER, text TEXT)',
    ...Array.from({ length: 30 }, (_, i) => `INSERT INTO customers VALUES (${i + 1}, 'n${i}', ${i})`),
    ...Array.from({ length: 60 }, (_, i) => `INSERT INTO orders VALUES (${i + 1}, ${(i % 30) + 1}, ${i % 3}, ${i})`),
    ...Array.from({ length: 60 }, (_, i) => `INSERT INTO lines VALUES (${i + 1}, 'a${i}', ${i % 3})`),
    ...Array.from({ length: 20 }, (_, i) => `INSERT INTO wishes VALUES (${i + 9_000}, 'w')`),
  )
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', exclude: ['*.*.secret_no'] }],
  })
})
afterEach(() => desk.close())

test('joins are listed in both directions, declared and inferred, with the evidence from rows', async () => {
  expect((await desk.sync()).failures).toEqual([])
  const joins = desk.read(`${folder}/joins.md`)
  expect(joins).toContain('## Declared (1)')
  expect(joins).toContain('- `main.lines.order_id` → `main.orders.id`')
  expect(joins).toContain('- `main.orders.customer_id` → `main.customers.id` (by name, n:1, all 30 values found)')
  expect(joins).toContain('```mermaid\nerDiagram\n  "main.lines" }o--|| "main.orders" : "order_id"')
  expect(desk.read(`${folder}/schema=main/table=orders/how_to_use.md`)).toContain(
    '- `lines.order_id = orders.id` (refers to this table)',
  )
  expect(desk.read(`${folder}/schema=main/table=customers/how_to_use.md`)).toContain(
    '- `orders.customer_id = customers.id` (inferred by name, n:1, all 30 values found)',
  )
})

test('a join that rows contradict is not listed, nor one over a hidden column or a generic name', async () => {
  await desk.sync()
  const joins = desk.read(`${folder}/joins.md`)
  expect(joins).not.toContain('wishes')
  expect(joins).not.toContain('secret_no')
  expect(joins).not.toContain('status')
})

test('a new table that refers to an old one adds the join to the old one', async () => {
  await desk.sync()
  desk.sqlite('shop.db', 'CREATE TABLE invoices (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id))')
  const again = await desk.sync()
  expect(again.due.map(({ item }) => item)).toContain('main.orders')
  expect(desk.read(`${folder}/schema=main/table=orders/how_to_use.md`)).toContain('invoices.order_id = orders.id')
})

test('a database has a page that lists its tables with rows and tokens, removed with its last table', async () => {
  await desk.sync()
  const index = desk.read(`${folder}/index.md`)
  expect(index).toContain('4 tables')
  expect(index).toMatch(
    /- \[main\.orders\]\(schema=main\/table=orders\) · 60 rows, 3 columns, [\d,]+ tokens, \d{4}-\d\d-\d\d/,
  )
  desk.configure({ name: 'shop' })
  await desk.sync()
  expect(desk.exists(`${folder}/index.md`)).toBe(false)
  expect(desk.exists(`${folder}/joins.md`)).toBe(false)
})

test('list_tables finds the tables for a question and packs them into a budget', async () => {
  await desk.sync()
  const { tables, columns } = await desk.run('list_tables', {
    question: 'How many orders has each customer?',
    tokens: 300,
  })
  expect(
    tables
      .slice(0, 2)
      .map(({ table }: { table: string }) => table)
      .toSorted(),
  ).toEqual(['main.customers', 'main.orders'])
  expect(columns).toContain('- customer_id: INTEGER')
  expect(columns).toContain('main.orders.customer_id = main.customers.id')
  expect(columns).not.toContain('secret_no')
})

test('list_tables shows a small schema whole, even if the question names no table', async () => {
  await desk.sync()
  const { tables, columns } = await desk.run('list_tables', { question: 'Lewis Hamilton', tokens: 8_000 })
  expect(tables.map(({ table }: { table: string }) => table)).toEqual([
    'main.customers',
    'main.lines',
    'main.orders',
    'main.wishes',
  ])
  expect(columns).toContain('## main.wishes\n')
  expect(columns).toContain('- article: TEXT')
})

test('list_tables accepts a question instead of a glob, and reports a glob without matches', async () => {
  await desk.sync()
  const { tables } = await desk.run('list_tables', { match: 'How many orders are there?' })
  expect(tables[0].table).toBe('main.orders')
  const nothing = await desk.run('list_tables', { match: 'invoice*' })
  expect(listTables.render(nothing as never, { match: 'invoice*' })).toMatch(/^No table of 4 matches "invoice\*"\. /)
})
