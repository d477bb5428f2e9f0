import { createHash } from 'node:crypto'
import { AppError } from '../../../core/errors.ts'
import type { SqlDatabase, SqlSession } from '../../../ports/sql-database.ts'
import { MIGRATIONS, type Migration } from './index.ts'

export interface Migrated {
  /** The number of the last one that the database has now. */
  readonly at: number
  /** Names of those that were done now. */
  readonly done: readonly string[]
}

const PATIENCE_MS = 120_000

/**
 * Brings the tables up to what this Ken knows. Forward only; each migration lands with its line or not at all. A server
 * of the version before goes on while it runs, so a migration takes nothing away that the version before still uses.
 */
export async function migrate(
  database: SqlDatabase,
  { upTo = Infinity, clock }: { readonly upTo?: number; readonly clock: { now(): Date } },
): Promise<Migrated> {
  return database.withLock('ken migrations', PATIENCE_MS, async () => {
    const known = await database.transaction('server', prepare)
    const unknown = known.find(({ number }) => number > MIGRATIONS.length)
    if (unknown !== undefined && upTo === Infinity) return { at: unknown.number, done: [] }
    const changed = MIGRATIONS.find((one) =>
      known.some(({ number, hash }) => number === one.number && hash !== hashOf(one)),
    )
    if (changed !== undefined)
      throw new AppError('damaged', `Migration ${changed.number} of this database is not the one that Ken knows`, {
        hint: 'Restore the database from a backup, or ask where it was made.',
      })
    const due = MIGRATIONS.filter(({ number }) => number <= upTo && !known.some((one) => one.number === number))
    for (const one of due)
      await database.transaction('server', async (sql) => {
        for (const statement of one.statements(database)) await sql.query(statement)
        await sql.query('INSERT INTO ken.migrations (number, name, hash, at) VALUES ($1, $2, $3, $4)', [
          one.number,
          one.name,
          hashOf(one),
          clock.now().toISOString(),
        ])
      })
    return {
      at: Math.max(0, ...known.map(({ number }) => number), ...due.map(({ number }) => number)),
      done: due.map(({ name }) => name),
    }
  })
}

async function prepare(sql: SqlSession): Promise<readonly { readonly number: number; readonly hash: string }[]> {
  await sql.query('CREATE SCHEMA IF NOT EXISTS ken')
  await sql.query(
    'CREATE TABLE IF NOT EXISTS ken.migrations (number int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, at timestamptz NOT NULL)',
  )
  return sql.query('SELECT number, hash FROM ken.migrations ORDER BY number')
}

/** Of what it is everywhere: a database with vectors gets a few statements more. */
const hashOf = ({ statements }: Migration): string =>
  createHash('sha256')
    .update(statements({ hasVectors: false }).join(';\n'))
    .digest('hex')
