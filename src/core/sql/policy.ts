import type { TableRef } from './catalogue.ts'
import type { SqlDialect } from './dialect.ts'

export interface SqlPolicy {
  readonly dialect: SqlDialect
  /** The tables a statement may read, with what is hidden in them; undefined: every table the connection sees. */
  readonly tables: readonly AllowedTable[] | undefined
}

export interface AllowedTable extends TableRef {
  /** Columns that may be read. */
  readonly columns: readonly string[]
  /** Columns that exist but may not be read, not even in a condition. */
  readonly hidden: readonly string[]
  /** True for a view: a plan of a query over it names what lies beneath. */
  readonly isView?: boolean
}

/** A refusal is an answer, not a failure: it says what to change. */
export type Verdict =
  | { readonly allowed: true; readonly sql: string }
  | { readonly allowed: false; readonly code: RefusalCode; readonly reason: string; readonly hint: string }

export type RefusalCode = 'unreadable' | 'several' | 'writes' | 'outside' | 'function' | 'table' | 'column'
