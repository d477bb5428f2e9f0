import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../src/database/backup/back-up.ts'
import { openBackup } from '../src/database/backup/backup-file.ts'
import { restore } from '../src/database/backup/restore.ts'
import { MIGRATIONS } from '../src/database/schema/index.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { everyRow } from './postgres/every-row.ts'
import { fillTables, readTables } from './postgres/fill-tables.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const clock = { now: () => new Date('2026-05-01T10:00:00Z') }
const folder = mkdtempSync(join(tmpdir(), 'ken-backup-'))
const opened: SqlDatabase[] = []
/** In the nightly run the source has pgvector, and the target does not. */
const openSource = async (): Promise<SqlDatabase> =>
  process.env['KEN_VENDORS'] === '1'
    ? (await import('./vendors/pglite-database.ts')).openPgliteDatabase()
    : openNewDatabase({ of: 'nothing' })
const openDatabase = async (open = () => openNewDatabase({ of: 'nothing' })): Promise<SqlDatabase> => {
  const database = await open()
  opened.push(database)
  return database
}
const restoreInto = async (database: SqlDatabase, path: string): Promise<void> => {
  const backup = await openBackup(path)
  try {
    await restore(database, backup, {
      migrate: (into, upTo) => migrate(into, { clock, ...(upTo !== undefined && { upTo }) }),
    })
  } finally {
    await backup.close()
  }
}

let source: SqlDatabase
let target: SqlDatabase
const path = join(folder, 'ken.backup')
beforeAll(async () => {
  source = await openDatabase(openSource)
  target = await openDatabase()
  await migrate(source, { clock })
  await source.transaction('server', async (sql) => {
    const tables = await readTables(sql)
    for (const tag of ['alder', 'birch']) await fillTables(sql, tables, tag)
    await sql.query("SELECT setval('ken.job_turn_numbers', 4711)")
    // Values a careless format would lose: all kinds of line endings, quotes, and a text of several pages.
    await sql.query('UPDATE ken.people SET name = $1 WHERE id = $2', [
      `a\r\nb\u2028"c"\\d\t😀 ${'long '.repeat(50_000)}${Array.from({ length: 9_000 }, (_, at) => at * 7_919).join(' ')}`,
      'alder-people-id',
    ])
  })
  await backUp(source, { path, ken: '1.2.3', clock })
})
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()))
  rmSync(folder, { recursive: true })
})

test('a backup contains every row of every table, and a restore returns them all, even without pgvector', async () => {
  await restoreInto(target, path)
  // Projects that a replica has read before the restore are read again, so `reach` differs.
  const [before, after] = [
    await everyRow(source, { without: ['near', 'reach'] }),
    await everyRow(target, { without: ['reach'] }),
  ]
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
  expect(after).toEqual(before)
  const next = await target.transaction('server', (sql) =>
    sql.query("SELECT nextval('ken.job_turn_numbers') AS turn, (SELECT count(*) FROM ken.migrations) AS migrations"),
  )
  expect(next).toEqual([{ turn: 4712, migrations: MIGRATIONS.length }])
  const keys = (database: SqlDatabase) =>
    database.transaction('server', async (sql) => {
      // A schema in the search path is left out of the definitions, and the schema of the run's own user is in the
      // search path.
      await sql.query('SET LOCAL search_path TO pg_catalog')
      return sql.query(
        "SELECT conname::text, pg_get_constraintdef(oid) AS means FROM pg_constraint WHERE connamespace = 'ken'::regnamespace ORDER BY 1, 2",
      )
    })
  expect(await keys(target)).toEqual(await keys(source))
})

test.runIf(process.env['KEN_VENDORS'] === '1')(
  'a backup from a database without pgvector can be restored into one with it, where no vector counts as indexed yet',
  async () => {
    const plain = await openDatabase()
    await migrate(plain, { clock })
    await plain.transaction('server', async (sql) => {
      await fillTables(sql, await readTables(sql), 'alder')
      await sql.query('UPDATE ken.index_heads SET near_from = 0')
    })
    const file = join(folder, 'plain.backup')
    await backUp(plain, { path: file, ken: '1.2.3', clock })
    const indexed = await openDatabase(openSource)
    await restoreInto(indexed, file)
    const heads = (database: SqlDatabase) =>
      database.transaction('server', (sql) => sql.query('SELECT near_from FROM ken.index_heads'))
    expect(await heads(indexed)).toEqual([{ near_from: null }])
    expect(await indexed.transaction('server', (sql) => sql.query('SELECT near FROM ken.index_vectors'))).toEqual([
      { near: null },
    ])
    const without = ['near', 'near_from']
    expect(await everyRow(indexed, { without })).toEqual(await everyRow(plain, { without }))
  },
)

test('a restore does not change a database that already contains Ken data', async () => {
  const before = await everyRow(source)
  await expect(restoreInto(source, path)).rejects.toMatchObject({ code: 'conflict' })
  expect(await everyRow(source)).toEqual(before)
})

test('a backup is readable only by its owner, never overwritten, and removed if interrupted', async () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const bytes = readFileSync(path)
  await expect(backUp(source, { path, ken: '1', clock })).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(path).equals(bytes)).toBe(true)
  const there = readdirSync(folder)
  const stopped = backUp(source, { path: join(folder, 'other'), ken: '1', clock, signal: AbortSignal.abort() })
  await expect(stopped).rejects.toMatchObject({ code: 'stopped' })
  expect(readdirSync(folder)).toEqual(there)
})

describe('a damaged backup is refused before the database is touched', () => {
  const refused = async (bytes: Uint8Array): Promise<string> => {
    const copy = join(folder, 'copy')
    writeFileSync(copy, bytes)
    return openBackup(copy).then(
      async (backup) => {
        await backup.close()
        return 'taken'
      },
      ({ code }: { code: string }) => code,
    )
  }

  test('refuses a backup with any one byte changed', async () => {
    const bytes = readFileSync(path)
    const places = [0, 5, 20, 25, bytes.length - 1, bytes.length - 2, bytes.length - 70, bytes.length - 80]
    for (let at = 30; at < bytes.length; at += Math.floor(bytes.length / 60)) places.push(at)
    for (const at of places) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x10
      expect(['damaged', 'invalid_input'], `byte ${at}`).toContain(await refused(changed))
    }
  })

  test('refuses a backup that is truncated anywhere, or has trailing data', async () => {
    const bytes = readFileSync(path)
    for (const length of [0, 1, 19, 20, 100, bytes.length >> 1, bytes.length - 84, bytes.length - 1])
      expect(['damaged', 'invalid_input'], `${length} bytes`).toContain(await refused(bytes.subarray(0, length)))
    expect(await refused(Buffer.concat([bytes, Buffer.from('\n')]))).toBe('damaged')
  })

  test('refuses a file of another kind', async () => {
    expect(await refused(Buffer.from('PGDMP\u0001\u000e and so on'))).toBe('invalid_input')
    await expect(openBackup(join(folder, 'none'))).rejects.toMatchObject({ code: 'not_found' })
  })
})
