import { utimesSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const ENGINES = {
  sqlite: (...statements: string[]) => desk.sqlite('shop.sqlite', ...statements),
  duckdb: async (...statements: string[]) => {
    const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
    const connection = await instance.connect()
    for (const statement of statements) await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
  },
} as const

const reasons = (output: Awaited<ReturnType<ContextDesk['sync']>>): Record<string, string> =>
  Object.fromEntries(output.due.map(({ item, reason }) => [item, reason]))
const checks = async (): Promise<number> => syncSources.exit(await desk.sync({ check: true }))

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])('%s', (type) => {
  const change = (...statements: string[]): void | Promise<void> => ENGINES[type](...statements)
  const file = (table: string, name: string): string =>
    desk.read(`databases/type=${type}/database=shop/schema=main/table=${table}/${name}.md`)
  const configure = (more: object = {}): void =>
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type, path: `shop.${type}`, ...more }] })
  const rows = (from: number, to: number): string =>
    `INSERT INTO orders VALUES ${Array.from({ length: to - from }, (_, i) => `(${from + i}, 'paid', '2026-01-01')`).join(', ')}`

  beforeEach(async () => {
    await change(
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, status VARCHAR, placed DATE)',
      'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR)',
      "CREATE VIEW paid AS SELECT id FROM orders WHERE status = 'paid'",
      rows(0, 100),
      "INSERT INTO customers VALUES (1, 'ada')",
    )
    configure()
    await desk.sync()
  })

  test('500 new rows are noticed by --check and compiled by the next sync; unchanged tables are not touched', async () => {
    expect(await checks()).toBe(0)
    const before = desk.times()
    await change(rows(100, 600))
    const check = await desk.sync({ check: true })
    expect(reasons(check)).toEqual({ 'main.orders': 'data', 'main.paid': 'data' })
    expect(syncSources.exit(check)).toBe(1)
    expect(syncSources.render(check, {} as never)).toContain('main.orders (its rows changed)')
    const output = await desk.sync()
    expect(reasons(output)).toEqual({ 'main.orders': 'data', 'main.paid': 'data' })
    expect(file('orders', 'how_to_use')).toContain('| rows | 600 |')
    expect(file('orders', 'profiling')).toContain('all 600 rows')
    const written = Object.entries(desk.times()).filter(([path, time]) => before[path] !== time)
    expect(written.map(([path]) => path).filter((path) => path.includes('customers'))).toEqual([])
    expect(file('orders', 'columns')).toContain('600 rows')
    expect(await checks()).toBe(0)
    expect((await desk.sync()).due).toEqual([])
  })

  test('rows changed in place, with the same count, are also detected', async () => {
    await change("UPDATE orders SET status = 'sent' WHERE id < 10")
    expect(reasons(await desk.sync())).toEqual({ 'main.orders': 'data', 'main.paid': 'data' })
    expect(file('orders', 'profiling')).toContain('`sent` 10')
  })

  test('detects deleted rows and an emptied table', async () => {
    await change('DELETE FROM orders WHERE id = 99')
    expect(reasons(await desk.sync())).toMatchObject({ 'main.orders': 'data' })
    await change('DELETE FROM customers')
    expect(reasons(await desk.sync())).toEqual({ 'main.customers': 'data' })
    expect(file('customers', 'how_to_use')).toContain('| rows | 0 |')
  })

  test('a file that was only touched, or rebuilt with the same rows, changes nothing', async () => {
    utimesSync(desk.path(`shop.${type}`), new Date(), new Date(Date.now() + 5_000))
    expect(await checks()).toBe(0)
    const before = desk.times()
    expect((await desk.sync()).due).toEqual([])
    const after = desk.times()
    const changed = Object.keys(after).filter((path) => after[path] !== before[path] && !path.startsWith('shop.'))
    expect(changed).toEqual([])
  })

  test('profiles in every sync with refresh: always, and --check passes right after one', async () => {
    configure({ profiling: { refresh: 'always' } })
    await desk.sync()
    expect(await checks()).toBe(0)
    expect(reasons(await desk.sync())).toMatchObject({ 'main.orders': 'aged' })
    await change(rows(100, 110))
    expect(await checks()).toBe(1)
  })

  test('ignores row changes with refresh: once, or freshness.rows: never', async () => {
    for (const more of [{ profiling: { refresh: 'once' } }, { freshness: { rows: 'never' } }]) {
      configure(more)
      await desk.sync()
      await change('DELETE FROM orders WHERE id = (SELECT max(id) FROM orders)')
      expect(await checks()).toBe(0)
    }
  })

  test('a hot table is compiled at most as often as freshness.rows allows; beyond max_age the check fails', async () => {
    configure({ freshness: { rows: '1h', max_age: '30d' } })
    await desk.sync()
    await change(rows(100, 110))
    expect(await checks()).toBe(0)
    const manifest = desk.read('.ken/context-manifest.jsonl')
    const aged = (days: number): string =>
      manifest.replaceAll(
        /"checked_at":"[^"]+"/g,
        `"checked_at":"${new Date(Date.now() - days * 86_400_000).toISOString()}"`,
      )
    desk.write('.ken/context-manifest.jsonl', aged(0.1))
    expect(reasons(await desk.sync({ check: true }))).toEqual({ 'main.orders': 'data', 'main.paid': 'data' })
    desk.write('.ken/context-manifest.jsonl', aged(31))
    expect(reasons(await desk.sync({ check: true }))).toMatchObject({ 'main.orders': 'aged', 'main.customers': 'aged' })
  })

  test('a manifest from before marks existed is read, and the tables are fetched once', async () => {
    const old = desk.read('.ken/context-manifest.jsonl').replaceAll(/,"data":\{[^}]*\}/g, '')
    expect(old).not.toContain('"mark"')
    desk.write('.ken/context-manifest.jsonl', old)
    expect((await desk.sync()).sources).toMatchObject([{ written: 0, unchanged: 3, failed: 0 }])
    expect((await desk.sync()).due).toEqual([])
  })
})

test('hidden or secret columns leave no trace in the marks, and never cause a fetch', async () => {
  desk.sqlite('shop.sqlite', 'CREATE TABLE users (id INTEGER PRIMARY KEY, password TEXT, pin TEXT, city TEXT)')
  desk.sqlite('shop.sqlite', "INSERT INTO users VALUES (1, 'one', '1111', 'Ulm')")
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.sqlite', exclude: ['main.users.pin'] }],
  })
  await desk.sync()
  const look = (): string | undefined => /"look":"[^"]*"/.exec(desk.read('.ken/context-manifest.jsonl'))?.[0]
  const before = look()
  expect(before).toBeDefined()
  desk.sqlite('shop.sqlite', "UPDATE users SET password = 'two', pin = '2222'")
  expect((await desk.sync()).due).toEqual([])
  expect(look()).toBe(before)
  desk.sqlite('shop.sqlite', "UPDATE users SET city = 'Bonn'")
  expect(reasons(await desk.sync())).toEqual({ 'main.users': 'data' })
})

test('rows still in the log beside a SQLite file are noticed', async () => {
  desk.sqlite('shop.sqlite', 'PRAGMA journal_mode = WAL', 'CREATE TABLE orders (id INTEGER PRIMARY KEY)')
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.sqlite' }] })
  await desk.sync()
  const writer = new DatabaseSync(desk.path('shop.sqlite'))
  writer.exec('PRAGMA wal_autocheckpoint = 0; INSERT INTO orders VALUES (1)')
  expect(reasons(await desk.sync())).toEqual({ 'main.orders': 'data' })
  writer.close()
})
