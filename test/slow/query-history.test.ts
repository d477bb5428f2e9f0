import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContextDesk } from '../context/context-desk.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'

let server: OwnDatabase
let owner: Owner
const address = () => ({ host: server.host, port: server.port, database: server.database, user: server.user })

beforeAll(async () => {
  server = await newDatabase()
  owner = ownPostgres(address())
  await owner.exec(
    'CREATE EXTENSION pg_stat_statements; CREATE TABLE customers (id int PRIMARY KEY, country text); CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total numeric); CREATE TABLE quiet (id int)',
  )
}, 120_000)
afterAll(async () => {
  await owner?.close()
  await server?.stop()
})

test('how_to_use.md shows how often a table was read, with which other tables and by which queries, not counting syncs', async () => {
  const ask = async (sql: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await owner.exec(sql)
  }
  await ask(
    'SELECT c.country, sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country',
    7,
  )
  await ask('WITH big AS (SELECT * FROM orders WHERE total > 100) SELECT count(*) FROM big', 3)
  await ask("SELECT * FROM customers WHERE country = 'DE'", 4)
  const desk = openContextDesk()
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'postgres', ...address() }] })
  const usage = (table: string): string =>
    desk
      .read(`databases/type=postgres/database=${server.database}/schema=public/table=${table}/how_to_use.md`)
      .split('## Usage')[1]!
  await desk.sync()
  await desk.run('execute_sql', { sql: 'SELECT max(total) FROM orders' })
  expect((await desk.sync({ force: true })).failures).toEqual([])
  expect(usage('orders')).toContain('Read 11 times by the queries the database remembers.')
  expect(usage('orders')).toContain('- `customers` (7 times)')
  expect(usage('orders')).toMatch(
    /7 times:\n\n```sql\nSELECT c\.country, sum\(o\.total\) FROM orders o JOIN customers c .*\n```[\s\S]*3 times:\n\n```sql\nWITH big AS .*\n```[\s\S]*1 times:\n\n```sql\nSELECT max\(total\) FROM orders/,
  )
  expect(usage('customers')).toContain('Read 11 times')
  expect(usage('customers')).toMatch(/4 times:\n\n```sql\nSELECT \* FROM customers WHERE country = \$1/)
  const examples = desk.read(`databases/type=postgres/database=${server.database}/examples.md`)
  expect(examples).toMatch(/## Often run\n\n.*\n\n```sql\nSELECT \* FROM customers WHERE country = \$1\n```/)
  expect(examples).toContain('GROUP BY c.country\n```')
  expect(examples).not.toMatch(/DE|max\(total\)|pg_stat_statements|CREATE/)
  expect(usage('quiet')).toContain('keeps no history of queries on this table')
  await desk.close()
}, 120_000)
