import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openLiquidTemplates } from '../../src/context/adapters/liquid-templates.ts'
import { openDatabaseSource } from '../../src/context/database-source.ts'
import { databaseFields } from '../../src/context/domain/context-project/config.ts'
import { refusedFunction } from '../../src/context/domain/sql/refused-functions.ts'
import { postgresDialect } from '../../src/context/warehouse/postgres/dialect.ts'
import { postgresql } from '../../src/context/warehouse/postgres/index.ts'
import { openRedshiftDriver } from '../../src/context/warehouse/redshift/driver.ts'
import { redshiftEngine } from '../../src/context/warehouse/redshift/redshift-engine.ts'
import { openRemoteWarehouse } from '../../src/context/warehouse/remote-warehouse.ts'
import { describeWarehouse } from '../contract/warehouse.contract.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { makeShop, ownPostgres, type Owner } from '../shop-database.ts'
import { judgeCorpus } from '../sql-corpus.ts'

let server: OwnDatabase
let owner: Owner
const address = () => ({ host: server.host, port: server.port, database: server.database, user: server.user })
const LIMITS = { rows: 10_000, bytes: 10_000_000, milliseconds: 60_000 }

beforeAll(async () => {
  server = await newDatabase()
  owner = ownPostgres(address())
  await makeShop(owner, 'postgres')
})
afterAll(async () => {
  await owner?.close()
  await server?.stop()
})

describeWarehouse('postgres', async () => ({
  open: () => postgresql.open(address()),
  async change(sql, warehouse) {
    await owner.exec(sql)
    return warehouse
  },
  slowSql: 'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b',
  manyRowsSql: "SELECT generate_series(1, 1000000), repeat('x', 10)",
  running: async () =>
    Number(
      (
        await owner.column(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken' AND state = 'active'",
        )
      )[0],
    ),
  hasComments: true,
  keepsHistory: true,
  close: async () => undefined,
}))

describe('postgres', () => {
  test('labels and base types are resolved through arrays, domains on domains and domains on enums', async () => {
    for (const sql of [
      'CREATE SCHEMA odd',
      "CREATE TYPE odd.mood AS ENUM ('sad', 'ok')",
      'CREATE DOMAIN odd.any_mood AS odd.mood NOT NULL',
      "CREATE DOMAIN odd.named AS TEXT CHECK (VALUE IN ('a', 'VALUE b'))",
      'CREATE DOMAIN odd.renamed AS odd.named CHECK (length(VALUE) < 9)',
      'CREATE DOMAIN odd.moods AS odd.mood[]',
      'CREATE TABLE odd.t (id INTEGER GENERATED ALWAYS AS IDENTITY, m odd.mood, ms odd.mood[], am odd.any_mood, r odd.renamed, dm odd.moods, "we\\ird" odd.renamed)',
      'CREATE UNIQUE INDEX only_some ON odd.t (id) WHERE id > 5',
    ])
      await owner.exec(sql)
    const warehouse = await postgresql.open(address())
    const table = (await warehouse.tables()).find(({ schema }) => schema === 'odd')!
    const { columns, checks, indexes } = await warehouse.describe(table)
    await warehouse.close()
    await owner.exec('DROP SCHEMA odd CASCADE')
    const told = columns.map(({ name, base, labels, nullable }) => [name, base, labels?.join(), nullable])
    expect(told).toEqual([
      ['id', undefined, undefined, false],
      ['m', 'enum', 'sad,ok', true],
      ['ms', undefined, 'sad,ok', true],
      ['am', 'enum', 'sad,ok', false],
      ['r', 'text', 'a,VALUE b', true],
      ['dm', 'odd.mood[]', 'sad,ok', true],
      [String.raw`we\ird`, 'text', 'a,VALUE b', true],
    ])
    expect(columns[0]!.generated).toBe('identity')
    expect(checks!.map((check) => check.columns)).toEqual([['r'], [String.raw`we\ird`]])
    expect(indexes).toMatchObject([{ name: 'only_some', unique: false }])
  })

  test('the gate allows every read of the corpus and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
    const warehouse = await postgresql.open(address())
    const report = await judgeCorpus(warehouse, folder)
    await warehouse.close()
    rmSync(folder, { recursive: true, force: true })
    expect(report).toMatchObject({ falseRefusals: [], falseAllows: [], changes: [] })
  })

  test('a database function that writes cannot write', async () => {
    const warehouse = await postgresql.open(address())
    await expect(warehouse.query('SELECT forget(3)', LIMITS)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('read-only'),
    })
    await warehouse.close()
    expect(await owner.column('SELECT count(*)::int FROM orders')).toEqual([60])
  })

  test('partitions are listed as one table, their parent', async () => {
    await owner.exec(
      "CREATE TABLE events (at DATE, name TEXT) PARTITION BY RANGE (at); CREATE TABLE events_2026 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
    )
    const warehouse = await postgresql.open(address())
    const found = (await warehouse.tables()).filter((table) => table.name.startsWith('events'))
    expect(found.map((table) => table.name)).toEqual(['events'])
    expect((await warehouse.describe(found[0]!)).partitions).toEqual(['RANGE (at)'])
    await warehouse.close()
  })

  test('a role sees only the tables it may read', async () => {
    await owner.exec('CREATE ROLE guest LOGIN; GRANT SELECT ON user_emails TO guest')
    const warehouse = await postgresql.open({ ...address(), user: 'guest' })
    expect((await warehouse.tables()).map((table) => table.name)).toEqual(['user_emails'])
    await warehouse.close()
  })

  // Counts only statements of this database: other suites use the server too.
  const CALLS_HERE =
    'SELECT sum(calls)::int FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())'

  test('two thousand tables are listed in a handful of statements', async () => {
    await owner.exec(
      "DO $$ BEGIN FOR i IN 1..2000 LOOP EXECUTE format('CREATE TABLE many_%s (id INT PRIMARY KEY, name TEXT)', i); END LOOP; END $$",
    )
    const warehouse = await postgresql.open(address())
    const calls = async (): Promise<number> => Number((await owner.column(CALLS_HERE))[0])
    const before = await calls()
    const tables = await warehouse.tables()
    const between = (await calls()) - before
    expect(tables.filter((table) => table.name.startsWith('many_')).length).toBe(2_000)
    expect(between).toBeLessThan(20)
    await warehouse.close()
  })

  test('a password never appears in a message', async () => {
    const failures = await Promise.all(
      [
        { url: `postgres://ken:hush-hush@127.0.0.1:1/${server.database}` },
        { ...address(), database: 'nowhere', password: 'hush-hush' },
        { host: 'hush-hush.invalid', database: 'x', user: 'y', password: 'hush-hush' },
      ].map((connection) =>
        postgresql.open(connection).then(
          () => 'opened',
          (error: { code: string; message: string }) => error,
        ),
      ),
    )
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: 'unavailable' })
      expect((failure as { message: string }).message).not.toContain('hush-hush')
    }
  })

  test('system functions are allowed only if listed, and volatile ones only for randomness and the clock', async () => {
    const named = async (where: string): Promise<readonly string[]> =>
      (
        await owner.column(
          `SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND ${where} ORDER BY 1`,
        )
      ).map(String)
    const mayBeCalled = (name: string): boolean =>
      refusedFunction({ name, schema: undefined }, postgresDialect) === undefined
    expect((await named("provolatile = 'v'")).filter(mayBeCalled)).toEqual([
      'array_sample',
      'array_shuffle',
      'bernoulli',
      'clock_timestamp',
      'gen_random_uuid',
      'random',
      'random_normal',
      'system',
      'timeofday',
      'uuidv4',
      'uuidv7',
    ])
    expect(
      (
        await named(
          "proname ~ '^(pg_|has_|to_reg|lo_|txid_|inet_|current_s|query_|table_|schema_|database_|cursor_|.*_description)'",
        )
      ).filter(mayBeCalled),
    ).toEqual(['inet_merge', 'inet_same_family', 'pg_column_size', 'pg_size_bytes', 'pg_size_pretty', 'pg_typeof'])
  })
})

describe('redshift', () => {
  test('its driver supports the protocol: rows, limits, a read-only transaction, cancelling', async () => {
    const driver = await openRedshiftDriver({ ...address(), password: '', ssl: false, schema: 'public' })
    const noStop = (): void => undefined
    expect(await driver.run('SELECT id, email FROM users ORDER BY id', { ...LIMITS, rows: 2 }, noStop)).toMatchObject({
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'email', type: 'varchar' },
      ],
      rows: [
        [1, 'user1@example.com'],
        [2, 'user2@example.com'],
      ],
      truncated: true,
    })
    await expect(driver.run('DELETE FROM users', LIMITS, noStop)).rejects.toThrow(/read-only/)
    let stop = async (): Promise<void> => undefined
    const running = driver.run('SELECT pg_sleep(60)', LIMITS, (how) => (stop = how))
    setTimeout(() => void stop(), 300)
    await expect(running).rejects.toThrow(/cancel/)
    await driver.close()
  })

  // The views of Redshift's catalogue, as far as PostgreSQL can emulate them.
  const CATALOGUE = `
    CREATE VIEW svv_tables AS SELECT t.*,
      obj_description(format('%I.%I', table_schema, table_name)::regclass) AS remarks FROM information_schema.tables t;
    CREATE VIEW svv_columns AS SELECT c.*,
      col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position) AS remarks
      FROM information_schema.columns c;
    CREATE VIEW svv_table_info AS SELECT n.nspname::text AS schema, c.relname::text AS "table",
      c.reltuples::bigint AS tbl_rows, c.relpages::bigint AS size, 'id' AS sortkey1, 'EVEN' AS diststyle
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r'`

  test('its catalogue statements run, and return tables, keys, comments and types', async () => {
    await owner.exec(CATALOGUE)
    const connection = { ...address(), password: '', ssl: false, schema: 'public' }
    const warehouse = await openRemoteWarehouse(redshiftEngine(connection), await openRedshiftDriver(connection))
    const tables = await warehouse.tables()
    expect(Object.fromEntries(tables.map((table) => [table.name, table.kind]))).toMatchObject({
      users: 'table',
      orders: 'table',
      user_emails: 'view',
    })
    const users = await warehouse.describe(tables.find((table) => table.name === 'users')!)
    const orders = await warehouse.describe(tables.find((table) => table.name === 'orders')!)
    expect(users).toMatchObject({
      comment: 'People with an account',
      primaryKey: ['id'],
      partitions: ['DISTSTYLE EVEN', 'SORTKEY (id)'],
    })
    expect(users.columns[1]).toMatchObject({ name: 'email', comment: 'Where we write to', nullable: false })
    expect(orders.columns.find((column) => column.name === 'amount')!.type).toBe('numeric(10,2)')
    expect(orders.foreignKeys).toEqual([
      {
        columns: ['user_id'],
        references: { database: users.database, schema: 'public', name: 'users' },
        referenced: ['id'],
      },
    ])
    await warehouse.close()
  })

  test('its sync writes every document, with a correct profile', async () => {
    const connection = { ...address(), password: '', ssl: false, schema: 'public' }
    const source = openDatabaseSource({
      config: z.looseObject(databaseFields).parse({ name: 'w', type: 'redshift', include: ['public.orders'] }),
      warehouse: await openRemoteWarehouse(redshiftEngine(connection), await openRedshiftDriver(connection)),
      templates: openLiquidTemplates(),
      overrides: new Map(),
      redact: async (text) => ({ text, count: 0 }),
    })
    const { items } = await source.list()
    const { documents } = await source.fetch(items[0]!)
    const profile = documents.find((document) => document.name === 'profiling.md')!.text
    expect(profile).toContain('all 60 rows')
    expect(profile).not.toContain('Not profiled')
    expect(profile).toMatch(/\| amount \| 0 \| \d+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/)
    await source.close()
  })
})
