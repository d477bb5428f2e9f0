import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { migrate } from './schema.ts'

/** The index file. Statements are prepared once; everything is synchronous, so no other caller of this process gets in between. */
export interface IndexDatabase {
  readonly path: string
  /** Rows as arrays, in the order of the selected columns. */
  rows(sql: string, ...values: SQLInputValue[]): SQLInputValue[][]
  run(sql: string, ...values: SQLInputValue[]): void
  number(key: 'generation' | 'next_chunk' | 'epoch'): number
  /** All of `work` or nothing, with the only right to write. */
  change<T>(work: (generation: number) => T): T
  /** Everything read inside is of one moment. */
  look<T>(work: () => T): T
  close(): void
}

// Another process may be writing a batch, or a checkpoint may be on its way.
const PATIENCE = 15_000
const NOT_A_DATABASE = 26
const CORRUPT = 11

export function openIndexDatabase(path: string): IndexDatabase {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = openOrReplace(path)
  const statements = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement
  }

  function transaction<T>(begin: string, work: () => T): T {
    database.exec(begin)
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  const number: IndexDatabase['number'] = (key) => (prepare('SELECT value FROM meta WHERE key = ?').get(key) as unknown as [number])[0]
  return {
    path,
    rows: (sql, ...values) => prepare(sql).all(...values) as unknown as SQLInputValue[][],
    run: (sql, ...values) => void prepare(sql).run(...values),
    number,
    change: (work) =>
      transaction('BEGIN IMMEDIATE', () => {
        prepare("UPDATE meta SET value = value + 1 WHERE key = 'generation'").run()
        return work(number('generation'))
      }),
    look: (work) => (database.isTransaction ? work() : transaction('BEGIN', work)),
    close: () => database.close(),
  }
}

/** A damaged index is thrown away: it can be made again, and nothing else is in it. */
function openOrReplace(path: string): DatabaseSync {
  try {
    return open(path)
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256
    if (path === ':memory:' || (code !== NOT_A_DATABASE && code !== CORRUPT)) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    return open(path)
  }
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: PATIENCE })
  try {
    // Not synced on every commit: a power cut may cost the last changes, which the next update makes again.
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192')
    migrate(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
