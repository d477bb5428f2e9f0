import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeExample } from '../src/context/domain/examples/judge-example.ts'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { ownSqlite } from './shop-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-judge-example-'))
let warehouse: Warehouse
beforeAll(async () => {
  const owner = ownSqlite(join(folder, 'shop.db'))
  await owner.exec('CREATE TABLE orders (id INTEGER, customer_id INTEGER, amount REAL, placed TEXT)')
  await owner.exec('CREATE TABLE customers (id INTEGER, name TEXT)')
  await owner.close()
  warehouse = await sqlite.open({ path: join(folder, 'shop.db') })
})
afterAll(async () => {
  await warehouse.close()
  rmSync(folder, { recursive: true, force: true })
})

const table = (name: string, columns: readonly string[], hidden: readonly string[] = []) => ({
  database: 'shop',
  schema: 'main',
  name,
  columns,
  hidden,
})
const TABLES = [table('orders', ['id', 'customer_id', 'amount', 'placed']), table('customers', ['id'], ['name'])]
const judge = async (sql: string) =>
  judgeExample(await warehouse.parse(sql), { dialect: warehouse.dialect, tables: TABLES })

test.each([
  'SELECT sum(amount) AS revenue FROM orders ORDER BY revenue',
  'SELECT sum(amount) revenue, id "order" FROM orders GROUP BY 2 HAVING revenue > 3 ORDER BY "order"',
  "SELECT CASE WHEN amount > 3 THEN 'a' ELSE 'b' END kind, count(*) FROM orders GROUP BY kind",
  'WITH spent (who, total) AS (SELECT customer_id, sum(amount) FROM orders GROUP BY 1) SELECT total FROM spent WHERE who = 3',
  'SELECT t.best FROM (SELECT max(amount) AS best FROM orders) t',
  'SELECT count(*) FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE customers.id = customer_id)',
  'SELECT rowid, current_date FROM orders',
])('a valid example is not stale: %s', async (sql) => expect((await judge(sql)).stale).toBeUndefined())

test.each([
  ['SELECT amonut FROM orders', 'no table it reads has a column amonut'],
  ['SELECT sum(amount) AS total FROM orders WHERE state = 3', 'no table it reads has a column state'],
  ['WITH a AS (SELECT price FROM orders) SELECT price FROM a', 'no table it reads has a column price'],
  ['SELECT o.price FROM orders o', 'main.orders.price is not a column of the context'],
  ['SELECT name FROM customers', 'main.customers.name is not part of the context'],
  ['SELECT 1 FROM invoices', 'invoices is not a table of the context'],
  ['DELETE FROM orders', 'DELETE is not a read'],
  ['EXPLAIN SELECT id FROM orders', 'it answers no question: only a query does'],
])('an invalid example is stale: %s', async (sql, reason) => expect((await judge(sql)).stale).toBe(reason))

test('returns the tables that an example reads, including those of a subquery', async () => {
  const { tables } = await judge('SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers)')
  expect(tables.map(({ name }) => name)).toEqual(['orders', 'customers'])
})
