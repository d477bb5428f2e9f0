import type { TableRef } from './catalogue.ts'
import type { SqlDialect } from './dialect.ts'

export interface SqlPolicy {
  readonly dialect: SqlDialect
  /**
   * Tables that a statement may read, with their hidden columns; undefined means every table that is visible to the
   * connection.
   */
  readonly tables: readonly AllowedTable[] | undefined
}

export interface AllowedTable extends TableRef {
  readonly columns: readonly string[]
  /** Columns that exist but may not be read, not even in a condition. */
  readonly hidden: readonly string[]
  /** The plan of a query over a view names the underlying tables. */
  readonly isView?: boolean
}

/** A refusal is a result, not a failure: it states what to change. */
export type SqlVerdict =
  | { readonly allowed: true; readonly sql: string }
  | { readonly allowed: false; readonly code: RefusalCode; readonly reason: string; readonly hint: string }

export type RefusalCode = 'unreadable' | 'several' | 'writes' | 'outside' | 'function' | 'table' | 'column'

type Refusal = Extract<SqlVerdict, { allowed: false }>

/** Ends the walk through a statement at the first name outside the context. */
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
