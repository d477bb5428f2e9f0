/** Statement parameters. Lists and objects are passed as one JSON text: `$1::text::jsonb`. */
export type SqlValue = string | number | boolean | null | Uint8Array

/**
 * Statements of one transaction, run in sequence, even if they are sent without waiting for each other. Integers are
 * returned as numbers, `timestamptz` as ISO text, `bytea` as bytes, `jsonb` as parsed values, `numeric` as text.
 */
export interface SqlSession {
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
}

export interface SqlStatement {
  readonly text: string
  readonly values?: readonly SqlValue[]
}

/**
 * The rows a transaction may see, enforced by the database. `server` sees all of them, and is for shared services:
 * signing in, handing out jobs, migrations.
 */
export type SqlScope = 'server' | { readonly project: string; readonly person?: string } | { readonly person: string }

export interface TransactionOptions {
  /**
   * The server rejects every write, so the transaction may be retried if the connection is lost: its outcome is never
   * unknown.
   */
  readonly readOnly?: boolean
}

/** A statement that runs right after a lock is acquired, in the same round trip. */
export interface LookUnderLock extends SqlStatement {
  readonly scope: SqlScope
}

export interface Subscription {
  close(): Promise<void>
}

/**
 * A PostgreSQL database shared by many processes. Every back end passes test/contract/sql-database.contract.ts. Throws
 * `unavailable` if the server cannot be reached in time; if it is unknown whether a transaction committed, its details
 * contain `outcome: 'unknown'`.
 */
export interface SqlDatabase {
  /** Whether the server can store vectors and search them by an index. */
  readonly hasVectors: boolean
  /**
   * Commits everything durably, or nothing. Errors from `work` are rethrown. `work` runs again after a deadlock or a
   * server lost before the commit, so it must only use the session.
   */
  transaction<T>(scope: SqlScope, work: (sql: SqlSession) => Promise<T>, how?: TransactionOptions): Promise<T>
  /**
   * Runs the statements in sequence as one transaction, in one round trip, and returns the rows of each. Throws the
   * error of the first that fails, and commits none of them.
   */
  batch(scope: SqlScope, statements: readonly SqlStatement[]): Promise<readonly (readonly object[])[]>
  /**
   * Runs `work` while holding the named lock across all processes; throws `unavailable` if it is not free within
   * `patience` milliseconds. A lock is lost with its connection: anything that must never happen twice is checked again
   * in the transaction that commits it. `work` gets the rows of `look`.
   */
  withLock<T>(
    name: string,
    patience: number,
    work: (rows: readonly object[]) => Promise<T>,
    look?: LookUnderLock,
  ): Promise<T>
  /**
   * Receives every `pg_notify` message once its transaction has committed, and `undefined` after a gap in which
   * messages may have been missed.
   */
  listen(channel: string, heard: (message: string | undefined) => void): Promise<Subscription>
  /** Whether the server answers within a few seconds. Does not wait for a connection that is in use. */
  answers(): Promise<boolean>
  close(): Promise<void>
}
