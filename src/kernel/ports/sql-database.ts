/** What a statement is given. Lists and objects travel as one JSON text: `$1::text::jsonb`. */
export type SqlValue = string | number | boolean | null | Uint8Array

/**
 * Statements of one transaction, one after the other. Whole numbers come as numbers, `timestamptz` as ISO text, `bytea`
 * as bytes, `jsonb` as what it holds, `numeric` as text.
 */
export interface SqlSession {
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
}

/**
 * Whose rows a transaction may see; the database itself holds it to that. `server` sees all of them, and is for what
 * serves everybody: signing in, handing out jobs, migrations.
 */
export type SqlScope = 'server' | { readonly project: string; readonly person?: string } | { readonly person: string }

export interface TransactionOptions {
  /**
   * The server refuses every write in it. So it may run again whenever its server was lost, and its outcome is never
   * unknown.
   */
  readonly readOnly?: boolean
}

export interface Subscription {
  close(): Promise<void>
}

/**
 * A PostgreSQL database that many processes share. Every back end passes test/contract/sql-database.contract.ts.
 * Throws `unavailable` when the server cannot be reached in time; where it is not known whether a transaction landed,
 * its details say `outcome: 'unknown'`.
 */
export interface SqlDatabase {
  /** Whether vectors can be kept and searched by an index of the server's. */
  readonly hasVectors: boolean
  /**
   * All of it lands, durably, or nothing. What `work` throws is thrown on. `work` runs again when the server ended it for
   * a deadlock or was lost before it could land, so it must do nothing but ask the session.
   */
  transaction<T>(scope: SqlScope, work: (sql: SqlSession) => Promise<T>, how?: TransactionOptions): Promise<T>
  /**
   * Runs `work` while nobody else, in any process, holds the lock of that name; throws `unavailable` when it is not free
   * in `patience` milliseconds. A lock is lost with its connection: what must never happen twice is checked once more
   * in the transaction that lands it.
   */
  withLock<T>(name: string, patience: number, work: () => Promise<T>): Promise<T>
  /**
   * Hears what anybody sends with `pg_notify`, once their transaction has landed. `undefined` after a gap in which
   * something may have been missed.
   */
  listen(channel: string, heard: (message: string | undefined) => void): Promise<Subscription>
  /** Whether the server answers within some seconds. Waits for no connection that something else has. */
  answers(): Promise<boolean>
  close(): Promise<void>
}
