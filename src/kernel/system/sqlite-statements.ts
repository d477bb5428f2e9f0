import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Statements of one database, each prepared on first use. */
export interface Statements {
  /** Rows as arrays, in the order of the selected columns. */
  rows(sql: string, ...values: SQLInputValue[]): SQLInputValue[][]
  /** The same rows, read one at a time during iteration, for results too large for memory. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<SQLInputValue[]>
  run(sql: string, ...values: SQLInputValue[]): void
  /** Call before the database is closed or replaced: a statement belongs to the connection that prepared it. */
  clear(): void
}

/** `database` is called for every statement, so that it may be opened or reopened just in time. */
export function prepareOnce(database: () => DatabaseSync): Statements {
  const statements = new Map<string, StatementSync>()
  function prepare(sql: string): StatementSync {
    const current = database()
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = current.prepare(sql)
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement
  }
  return {
    rows: (sql, ...values) => prepare(sql).all(...values) as unknown as SQLInputValue[][],
    each: (sql, ...values) => prepare(sql).iterate(...values) as unknown as Iterable<SQLInputValue[]>,
    run: (sql, ...values) => void prepare(sql).run(...values),
    clear: () => statements.clear(),
  }
}

/** All of `work` or nothing. `BEGIN IMMEDIATE` takes the write lock at once; `BEGIN` reads a consistent snapshot. */
export function inTransaction<T>(database: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
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
