import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MIGRATIONS, type Migration } from '../src/database/schema/index.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { fillTables, readTables } from './postgres/fill-tables.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const clock = { now: () => new Date('2026-05-01T10:00:00Z') }
const NEWEST = MIGRATIONS.length

// The nightly run also has a PostgreSQL with pgvector.
const ENGINES = process.env['KEN_VENDORS'] === '1' ? [false, true] : [false]
const engines = new Map<boolean, SqlDatabase>()
let database: SqlDatabase
beforeAll(async () => {
  engines.set(false, await openNewDatabase({ of: 'nothing' }))
  if (ENGINES.includes(true))
    engines.set(true, await (await import('./vendors/pglite-database.ts')).openPgliteDatabase())
})
afterAll(() => Promise.all([...engines.values()].map((engine) => engine.close())))
beforeEach(async () => {
  database = engines.get(false)!
  await ask('DROP SCHEMA IF EXISTS ken CASCADE')
})

const ask = <Row extends object>(text: string) => database.transaction('server', (sql) => sql.query<Row>(text))
const run = (more: Partial<Parameters<typeof migrate>[1]> = {}) => migrate(database, { clock, ...more })
const tables = () => database.transaction('server', readTables)
const names = async () => (await tables()).map(({ name }) => name)
const ledger = () => ask<{ number: number; name: string }>('SELECT * FROM ken.migrations ORDER BY number')
const rowsOf = async (table: string) =>
  (await ask<{ row: Record<string, unknown> }>(`SELECT to_jsonb(t) AS row FROM ken."${table}" t`)).map(({ row }) => row)

describe.each(ENGINES)('a database with hasVectors %s', (hasVectors) => {
  beforeEach(async () => {
    database = engines.get(hasVectors)!
    await ask('DROP SCHEMA IF EXISTS ken CASCADE')
  })

  test.each(MIGRATIONS.map(({ number }) => number))(
    'is migrated from schema %i to the newest without loss',
    async (old) => {
      expect(await run({ upTo: old })).toMatchObject({ at: old })
      const before = await tables()
      await database.transaction('server', async (sql) => {
        for (const tag of ['a', 'b']) await fillTables(sql, before, tag)
      })
      const kept = new Map<string, Record<string, unknown>[]>()
      for (const { name } of before) kept.set(name, await rowsOf(name))
      expect([...kept].filter(([, rows]) => rows.length !== 2)).toEqual([])

      expect(await run()).toEqual({ at: NEWEST, done: MIGRATIONS.slice(old).map(({ name }) => name) })
      for (const [name, rows] of kept) {
        const now = await rowsOf(name)
        const there = expect.arrayContaining(rows.map((row) => expect.objectContaining(row)))
        expect({ name, rows: now, count: now.length }).toEqual({ name, rows: there, count: rows.length })
      }
      // The newest tables also accept rows of a new tenant.
      await database.transaction('server', async (sql) => fillTables(sql, await readTables(sql), 'c'))

      const done = await ledger()
      expect(await run()).toEqual({ at: NEWEST, done: [] })
      expect(await ledger()).toEqual(done)
      expect(done.map(({ number, name }) => [number, name])).toEqual(
        MIGRATIONS.map(({ number, name }) => [number, name]),
      )
    },
  )
})

const next = (name: string, ...statements: string[]): Migration => ({
  number: NEWEST + 1,
  name,
  statements: () => statements,
})

test('a failing migration leaves the previous version, and completes once it is fixed', async () => {
  const broken = next('broken', 'CREATE TABLE ken.half (id int)', 'INSERT INTO ken.half VALUES (1 / 0)')
  const after = { ...next('after', 'CREATE TABLE ken.after (id int)'), number: NEWEST + 2 }
  await expect(run({ migrations: [...MIGRATIONS, broken, after] })).rejects.toThrow(/division by zero/)
  expect((await ledger()).map(({ number }) => number)).toEqual(MIGRATIONS.map(({ number }) => number))
  expect(await names()).not.toContain('half')
  expect(await names()).not.toContain('after')
  const mended = next('mended', 'CREATE TABLE ken.half (id int)')
  expect(await run({ migrations: [...MIGRATIONS, mended, after] })).toEqual({
    at: NEWEST + 2,
    done: ['mended', 'after'],
  })
})

test('a changed migration is refused, and nothing after it is run', async () => {
  await run()
  const [first, ...rest] = MIGRATIONS
  const changed: Migration = {
    ...first!,
    statements: (of) => [...first!.statements(of), 'CREATE TABLE ken.changed (id int)'],
  }
  const migrations = [changed, ...rest, next('more', 'CREATE TABLE ken.more (id int)')]
  await expect(run({ migrations })).rejects.toMatchObject({ code: 'damaged', message: expect.stringContaining('1') })
  expect(await names()).not.toContain('more')
  expect(await names()).not.toContain('changed')
})

test('a database from a newer Ken is not touched', async () => {
  await run({ migrations: [...MIGRATIONS, next('newer', 'CREATE TABLE ken.newer (id int)')] })
  const [before, there] = [await ledger(), await names()]
  expect(await run()).toEqual({ at: NEWEST + 1, done: [] })
  expect(await run({ upTo: 1 })).toEqual({ at: NEWEST + 1, done: [] })
  expect([await ledger(), await names()]).toEqual([before, there])
})
