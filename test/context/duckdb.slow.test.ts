import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { makeShop } from '../../scripts/demo-shop.ts'
import { openContextDesk } from './context-desk.ts'

const folder = (table: string): string => `databases/type=duckdb/database=shop/schema=main/table=${table}`

test('the demo shop is compiled with keys, comments, indexes and profiles, and is not changed', async () => {
  const desk = openContextDesk()
  await makeShop(desk.path('shop.duckdb'), 400)
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
  const output = await desk.sync()
  expect(output.failures).toEqual([])
  expect(output.sources).toMatchObject([{ listed: 12, written: 12 }])
  expect(desk.read(`${folder('orders')}/columns.md`)).toContain(
    "| status | VARCHAR | no |  | `paid` 40%, `returned` 40%, `new` 20% | new, paid, shipped, delivered or returned. · default 'new' |",
  )
  expect(desk.read(`${folder('orders')}/how_to_use.md`)).toContain('- `orders.customer_id = customers.id`')
  expect(desk.read(`${folder('customers')}/how_to_use.md`)).toContain('`customers_by_email` on email, unique')
  expect(desk.read(`${folder('payments')}/profiling.md`)).toMatch(/- method: `card` 67, `invoice` 67, `wallet` 66/)
  const { table } = desk
    .read('.ken/context-manifest.jsonl')
    .split('\n')
    .filter((line) => line.startsWith('{"source"'))
    .map((line) => JSON.parse(line) as Record<string, any>)
    .find((entry) => entry['item'] === 'main.orders')!
  expect(table).toMatchObject({
    primary_key: ['id'],
    foreign_keys: [{ columns: ['customer_id'], table: 'main.customers', referenced: ['id'] }],
  })
  expect(table['columns'].find(({ name }: { name: string }) => name === 'status').values.toSorted()).toEqual([
    'new',
    'paid',
    'returned',
  ])
  const before = desk.times()
  expect((await desk.sync()).due).toEqual([])
  expect(desk.times()).toEqual(before)
  await desk.close()
})

test('nested columns, views, empty tables and wide ones are profiled as far as possible', async () => {
  const desk = openContextDesk()
  const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
  const connection = await instance.connect()
  await connection.run(
    'CREATE TABLE odd (id INTEGER, list INTEGER[], thing STRUCT(a INTEGER), doc JSON, raw BLOB, big HUGEINT, clock_time TIME, span INTERVAL, "select" VARCHAR)',
  )
  await connection.run(
    `INSERT INTO odd VALUES (1, [1, 2], {'a': 1}, '{"x": 1}', 'abc'::BLOB, 170141183460469231731687303715884105727, '10:00', INTERVAL 1 DAY, 'x'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
  )
  await connection.run('CREATE VIEW seen AS SELECT id FROM odd')
  await connection.run('CREATE TABLE nothing (id INTEGER)')
  await connection.run(`CREATE TABLE wide (${Array.from({ length: 250 }, (_, i) => `c${i} INTEGER`).join(', ')})`)
  connection.closeSync()
  instance.closeSync()
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
  expect((await desk.sync()).failures).toEqual([])
  const odd = desk.read(`${folder('odd')}/profiling.md`)
  for (const column of ['list', 'thing', 'doc', 'raw', 'big', 'clock_time', 'span', 'select'])
    expect(odd).toContain(`| ${column} | 1 (50 %) | 1 |`)
  expect(desk.read(`${folder('seen')}/columns.md`)).toContain('CREATE VIEW seen')
  expect(desk.read(`${folder('nothing')}/preview.md`)).toContain('The table is empty.')
  expect(desk.read(`${folder('wide')}/profiling.md`)).toContain('| c249 | 0 | 0 |')
  await desk.close()
})
