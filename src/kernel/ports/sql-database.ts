/** Statement parameters. Lists and objects are passed as one JSON text: `$1::text::jsonb`. */
export type SqlValue = string | number | boolean | null | Uint8Array

/**
 * Statements of one transaction, run in sequence, even if they are sent without waiting for each other. Integers are
 * returned as numbers, `timestamptz` as ISO text, `bytea` as bytes, `jsonb` as parsed values, `numeric` as text.
 */
export interface SqlSession {
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
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
  /** `work` sends a single statement in the scope `server`. It is whole without BEGIN, so it is sent together with it. */
  readonly isSingle?: boolean
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
   * Runs `work` while holding the named lock across all processes; throws `unavailable` if it is not free within
   * `patience` milliseconds. A lock is lost with its connection: anything that must never happen twice is checked again
   * in the transaction that commits it.
   */
  withLock<T>(name: string, patience: number, work: () => Promise<T>): Promise<T>
  /**
   * Receives every `pg_notify` message once its transaction has committed, and `undefined` after a gap in which
   * messages may have been missed.
   */
  listen(channel: string, heard: (message: string | undefined) => void): Promise<Subscription>
  /** Whether the server answers within a few seconds. Does not wait for a connection that is in use. */
  answers(): Promise<boolean>
  close(): Promise<void>
}
