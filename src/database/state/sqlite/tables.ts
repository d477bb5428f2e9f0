import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { inWords, worded } from './database.ts'

export type Row = Readonly<Record<string, SQLInputValue>>

/** Tables of the analyst as its ports use them. */
export interface Tables {
  all(sql: string, ...values: SQLInputValue[]): Row[]
  one(sql: string, ...values: SQLInputValue[]): Row | undefined
  /** Call only inside `write`. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number
  /**
   * Runs the work atomically; it is complete once the promise resolves. `durable` survives a crash of the machine;
   * `soon` survives a crash of the process, and does not wait for the disk.
   */
  write<T>(work: () => T, how?: 'durable' | 'soon'): Promise<T>
  /** Removes deleted content from the write-ahead log. */
  checkpoint(): void
  close(): Promise<void>
}

interface Job {
  readonly work: () => unknown
  readonly how: 'durable' | 'soon'
  readonly done: (result: unknown) => void
  readonly failed: (error: unknown) => void
}

/**
 * Concurrent writes share one transaction and one wait for the disk: with a wait for each, hundreds of answers written
 * at once would queue.
 */
export function openTables(database: DatabaseSync, path: string): Tables {
  const statements = new Map<string, StatementSync>()
  let waiting: Job[] = []
  let isFull = true
  function prepared(sql: string): StatementSync {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  function flush(): void {
    const jobs = waiting
    waiting = []
    if (jobs.length === 0) return
    try {
      const full = jobs.some(({ how }) => how === 'durable')
      if (full !== isFull) database.exec(`PRAGMA synchronous = ${full ? 'FULL' : 'NORMAL'}`)
      isFull = full
      const settle = allOrEach(database, path, jobs)
      for (const settled of settle) settled()
    } catch (error) {
      const said = worded(path, error)
      for (const { failed } of jobs) failed(said)
    }
  }
  return {
    all: (sql, ...values) => inWords(path, () => prepared(sql).all(...values) as Row[]),
    one: (sql, ...values) => inWords(path, () => prepared(sql).get(...values) as Row | undefined),
    run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
    write: (work, how = 'durable') =>
      new Promise((done, failed) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ work, how, done: done as Job['done'], failed })
      }),
    checkpoint: () => inWords(path, () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    async close() {
      flush()
      if (database.isOpen) database.close()
    },
  }
}

/** Work that fails leaves no trace and does not affect other work. */
function allOrEach(database: DatabaseSync, path: string, jobs: readonly Job[]): (() => void)[] {
  database.exec('BEGIN IMMEDIATE')
  try {
    const settle = jobs.map(({ work, done, failed }) => {
      database.exec('SAVEPOINT job')
      try {
        const result = work()
        database.exec('RELEASE job')
        return () => done(result)
      } catch (error) {
        // A full disk ends the whole transaction.
        if (!database.isTransaction) throw error
        database.exec('ROLLBACK TO job; RELEASE job')
        return () => failed(worded(path, error))
      }
    })
    database.exec('COMMIT')
    return settle
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
