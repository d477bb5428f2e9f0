import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Warehouse } from '../../src/context/ports/warehouse.ts'
import { mysql } from '../../src/context/warehouse/mysql/index.ts'
import { postgresql } from '../../src/context/warehouse/postgres/index.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { ownMysql, ownPostgres, type Owner } from '../shop-database.ts'
import { mariadbMissing, startMariadb, type MariadbServer } from './mariadb-server.ts'

interface Facts {
  readonly mark: string | undefined
  readonly look: string | undefined
}

async function factsOf(warehouse: Warehouse): Promise<Record<string, Facts>> {
  const tables = await warehouse.tables()
  const entries = await Promise.all(
    tables.map(async (table) => [table.name, { mark: table.mark, look: await warehouse.look?.(table) }] as const),
  )
  return Object.fromEntries(entries)
}

/** PostgreSQL reports its counters a second late: once they are unchanged for longer, they include earlier writes. */
async function settledFacts(warehouse: Warehouse): ReturnType<typeof factsOf> {
  for (let before = await factsOf(warehouse); ;) {
    await setTimeout(1_500)
    const now = await factsOf(warehouse)
    if (isDeepStrictEqual(before, now)) return now
    before = now
  }
}

/** Changes that every server must detect, and events that are not a change. */
function describeMarks(warehouse: () => Warehouse, owner: () => Owner): void {
  test('neither reads nor time count as a change', async () => {
    const before = await settledFacts(warehouse())
    await warehouse().query('SELECT count(*) FROM orders', { rows: 1, bytes: 100, milliseconds: 10_000 })
    expect(await factsOf(warehouse())).toEqual(before)
  })

  test.each([
    ['New rows', "INSERT INTO orders VALUES (1000, 'new')"],
    ['Changed rows', "UPDATE orders SET status = 'sent' WHERE id = 1"],
    ['Deleted rows', 'DELETE FROM orders WHERE id = 2'],
    ['Rows that were all taken away', 'TRUNCATE orders'],
  ])('%s are detected at once in the table and its views, and other tables stay the same', async (_what, sql) => {
    const before = await factsOf(warehouse())
    await owner().exec(sql)
    const after = await factsOf(warehouse())
    for (const name of ['orders', 'sent']) {
      expect(after[name]!.mark).not.toBe(before[name]!.mark)
      expect(after[name]!.look).not.toBe(before[name]!.look)
    }
    expect(after['customers']!.look).toBe(before['customers']!.look)
  })
}

const TABLES = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(20))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, status VARCHAR(20))',
  "INSERT INTO orders VALUES (1, 'paid'), (2, 'paid'), (3, 'sent')",
  "INSERT INTO customers VALUES (1, 'ada')",
  "CREATE VIEW sent AS SELECT id FROM orders WHERE status = 'sent'",
]

describe('PostgreSQL', () => {
  let server: OwnDatabase
  let owner: Owner
  let warehouse: Warehouse
  beforeAll(async () => {
    server = await newDatabase()
    owner = ownPostgres(server)
    for (const sql of TABLES) await owner.exec(sql)
    // A busy server reports counters up to a minute late.
    await owner.exec('SELECT pg_stat_force_next_flush()')
    warehouse = await postgresql.open({
      host: server.host,
      port: server.port,
      database: server.database,
      user: server.user,
    })
  })
  afterAll(async () => {
    await warehouse?.close()
    await owner?.close()
    await server?.stop()
  })
  describeMarks(
    () => warehouse,
    () => owner,
  )

  test('partitions count towards their parent', async () => {
    await owner.exec('CREATE TABLE days (day DATE, n INTEGER) PARTITION BY RANGE (day)')
    await owner.exec("CREATE TABLE days_1 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')")
    const before = await factsOf(warehouse)
    await owner.exec("INSERT INTO days VALUES ('2026-01-05', 1)")
    expect((await factsOf(warehouse))['days']!.look).not.toBe(before['days']!.look)
  })

  test('no Ken transaction stays open, and each has Ken’s name', async () => {
    await warehouse.query('SELECT * FROM orders', { rows: 1, bytes: 100, milliseconds: 10_000 })
    await warehouse.tables()
    await expect
      .poll(() =>
        owner.column(
          "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken' AND state LIKE 'idle in%'",
        ),
      )
      .toEqual([0])
    expect(
      await owner.column(
        "SELECT count(*)::int > 0 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken'",
      ),
    ).toEqual([true])
  })

  test('a locked table times out with an error, and an unreadable one is judged by server counters', async () => {
    const orders = (await warehouse.tables()).find(({ name }) => name === 'orders')!
    const other = ownPostgres(server)
    await other.exec('BEGIN')
    await other.exec('LOCK TABLE orders IN ACCESS EXCLUSIVE MODE')
    expect(await warehouse.look!(orders)).toMatch(/^\d+ \d+$/)
    await expect(warehouse.tables()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('a table was locked'),
    })
    await other.exec('ROLLBACK')
    await other.close()
    expect((await warehouse.tables()).map(({ name }) => name)).toContain('orders')
  })
})

const missing = mariadbMissing()
if (missing) console.warn(`MariaDB suite skipped: ${missing}`)

describe.skipIf(missing)('MariaDB', () => {
  let server: MariadbServer
  let owner: Owner
  let warehouse: Warehouse
  beforeAll(async () => {
    server = await startMariadb()
    const address = { host: server.host, port: server.port, database: server.database, user: server.user }
    owner = await ownMysql(address)
    for (const sql of TABLES) await owner.exec(sql)
    warehouse = await mysql.open(address)
  })
  afterAll(async () => {
    await warehouse?.close()
    await owner?.close()
    await server?.stop()
  })
  describeMarks(
    () => warehouse,
    () => owner,
  )

  test('reports the time of the last write', async () => {
    await owner.exec("INSERT INTO orders VALUES (7, 'new')")
    const orders = (await warehouse.tables()).find(({ name }) => name === 'orders')!
    expect(orders.changedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })
})
