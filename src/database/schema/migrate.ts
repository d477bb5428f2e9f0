import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlSession } from '../../kernel/ports/sql-database.ts'
import { MIGRATIONS, type Migration } from './index.ts'

export interface Migrated {
  /** Number of the last migration in the database. */
  readonly at: number
  /** Names of those applied now. */
  readonly done: readonly string[]
}

const PATIENCE_MS = 120_000
// Maximum wait of a migration for a table, because queries for that table queue behind it.
const LOCK_MS = 500
const PAUSE_MS = 1_000

export interface MigrateOptions {
  readonly clock: { now(): Date }
  readonly upTo?: number
  readonly migrations?: readonly Migration[]
}

/**
 * Migrates the tables to this version of Ken. Forward only; each migration commits together with its line or not at
 * all. Servers of the previous version keep running meanwhile, so a migration removes nothing that the previous version
 * still uses. Throws `conflict` if a later version has removed something that this version uses.
 */
export async function migrate(
  database: SqlDatabase,
  { upTo = Infinity, clock, migrations = MIGRATIONS }: MigrateOptions,
): Promise<Migrated> {
  return database
    .withLock('ken migrations', PATIENCE_MS, () => migrateAlone(database, { upTo, clock, migrations }))
    .catch((error: unknown) => {
      throw (error as { code?: unknown } | null)?.code === INSUFFICIENT_PRIVILEGE ? notOwner(error) : error
    })
}

const INSUFFICIENT_PRIVILEGE = '42501'

const notOwner = (cause: unknown): AppError =>
  new AppError('forbidden', 'The database role of this server may not create or change Ken tables.', {
    hint: 'Run `ken server migrate` with DATABASE_URL of their owner.',
    cause,
  })

async function migrateAlone(
  database: SqlDatabase,
  { upTo, clock, migrations }: Required<MigrateOptions>,
): Promise<Migrated> {
  const known = await database.transaction('server', prepare)
  const newest = known.at(-1)?.number ?? 0
  if (known.some(({ oldest }) => (oldest ?? 0) > migrations.length))
    throw new AppError('conflict', 'This database was upgraded by a newer Ken', {
      hint: 'Start the newer one.',
    })
  if (newest > migrations.length) return { at: newest, done: [] }
  const changed = migrations.find((one) =>
    known.some(({ number, hash }) => number === one.number && hash !== hashOf(one)),
  )
  if (changed !== undefined)
    throw new AppError('damaged', `Migration ${changed.number} of this database is unknown to this version of Ken`, {
      hint: 'Restore the database from a backup.',
    })
  const done: string[] = []
  for (const one of migrations.slice(newest).filter(({ number }) => number <= upTo))
    if (await whenFree(() => database.transaction('server', (sql) => land(sql, one, { database, clock }))))
      done.push(one.name)
  return { at: Math.max(newest, Math.min(upTo, migrations.length)), done }
}

/** Retries if a table was locked: in between, queries that queue behind the migration can run. */
async function whenFree<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const isTaken = (error as { code?: unknown } | null)?.code === LOCK_NOT_AVAILABLE
      if (!isTaken) throw error
      if (performance.now() > end)
        throw new AppError('unavailable', 'The database tables were locked for too long', {
          hint: 'Check for a long-running transaction and try again.',
        })
      await setTimeout(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Returns false if another process applied the migration after all: the lock around it is lost with its connection. */
async function land(
  sql: SqlSession,
  one: Migration,
  { database, clock }: { readonly database: SqlDatabase; readonly clock: MigrateOptions['clock'] },
): Promise<boolean> {
  // Indexing a large table takes longer than a call is allowed to take.
  await sql.query(`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '${LOCK_MS}', true)`)
  await sql.query('LOCK TABLE ken.migrations IN SHARE ROW EXCLUSIVE MODE')
  if ((await sql.query('SELECT FROM ken.migrations WHERE number = $1', [one.number])).length > 0) return false
  for (const statement of one.statements(database)) await sql.query(statement)
  await sql.query('INSERT INTO ken.migrations (number, name, hash, at, oldest) VALUES ($1, $2, $3, $4, $5)', [
    one.number,
    one.name,
    hashOf(one),
    clock.now().toISOString(),
    one.oldest ?? null,
  ])
  return true
}

interface MigrationRow {
  readonly number: number
  readonly hash: string
  readonly oldest: number | null
}

async function prepare(sql: SqlSession): Promise<readonly MigrationRow[]> {
  // A role that does not own the tables may not even create what exists.
  const [made] = await sql.query(
    "SELECT FROM pg_attribute WHERE attrelid = to_regclass('ken.migrations') AND attname = 'oldest'",
  )
  if (made === undefined) {
    await sql.query('CREATE SCHEMA IF NOT EXISTS ken')
    await sql.query(
      'CREATE TABLE IF NOT EXISTS ken.migrations (number int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, at timestamptz NOT NULL)',
    )
    await sql.query('ALTER TABLE ken.migrations ADD COLUMN IF NOT EXISTS oldest int')
  }
  return sql.query('SELECT number, hash, oldest FROM ken.migrations ORDER BY number')
}

/** Hash of the common statements: a database with vectors gets a few more. */
const hashOf = ({ statements }: Migration): string =>
  createHash('sha256')
    .update(statements({ hasVectors: false }).join(';\n'))
    .digest('hex')
