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
export type SqlVerdict =
  | { readonly allowed: true; readonly sql: string }
  | { readonly allowed: false; readonly code: RefusalCode; readonly reason: string; readonly hint: string }

export type RefusalCode = 'unreadable' | 'several' | 'writes' | 'outside' | 'function' | 'table' | 'column'

type Refusal = Extract<SqlVerdict, { allowed: false }>

/** Ends the walk through a statement at the first name that lies outside the context. */
export class OutsideContext extends Error {
  readonly refusal: Refusal

  constructor(code: 'table' | 'column', reason: string, hint: string) {
    super(reason)
    this.refusal = { allowed: false, code, reason, hint }
  }
}

const LISTED = 20

export const listed = (names: readonly string[]): string =>
  names.length <= LISTED
    ? names.join(', ') || 'none'
    : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`

export const readable = (table: AllowedTable): string =>
  `Columns of ${table.schema}.${table.name} that may be read: ${listed(table.columns)}.`
