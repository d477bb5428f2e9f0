import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { WarehouseRules } from '../domain/context-project/source-rules.ts'
import type { BoundValue } from '../domain/sql/bind-names.ts'
import type { TableDetails, TableRef } from '../domain/sql/catalogue.ts'
import type { SqlDialect } from '../domain/sql/dialect.ts'
import type { PastQuery, QueryLimits, QueryResult } from '../domain/sql/query.ts'
import type { ParsedSql } from '../domain/sql/statement.ts'

export type { BoundValue } from '../domain/sql/bind-names.ts'
export type { TableDetails, TableRef, TableSummary } from '../domain/sql/catalogue.ts'
export type { Cell, PastQuery, QueryLimits, QueryResult } from '../domain/sql/query.ts'
export type { StopSignal } from '../../kernel/domain/stop.ts'

/**
 * One database, opened read-only in the engine itself. Every adapter passes test/contract/warehouse.contract.ts.
 * Failures are AppErrors: `unavailable` if it cannot be reached or timed out, `stopped` if the caller stopped it,
 * `invalid_input` for SQL the engine rejects. No message contains a password.
 */
export interface Warehouse {
  /** Dialect that statements are parsed and judged in. */
  readonly dialect: SqlDialect
  /** Reads the whole catalogue again, in a handful of round trips for any number of tables. */
  tables(): Promise<readonly TableDetails[]>
  /** Table from the last `tables()`, with its current row count. Throws `not_found`. */
  describe(table: TableRef): Promise<TableDetails>
  /**
   * Facts about the rows of one table, requested if its mark changed: equal facts mean the same rows. Undefined, or no
   * such method, if the mark is the only evidence; empty if neither reveals anything about this table. Excludes the
   * columns that `leavesOut` names, because the facts are kept in a committed file.
   */
  look?(table: TableRef, leavesOut?: LeavesOut): Promise<string | undefined>
  /** Parses SQL with the engine's own grammar or the nearest one. Runs nothing. */
  parse(sql: string): Promise<ParsedSql>
  /**
   * Runs one statement within the limits. Aborting also stops the statement in the engine. The driver binds `values` to
   * its placeholders, if the dialect has any.
   */
  query(sql: string, limits: QueryLimits, signal?: StopSignal, values?: readonly BoundValue[]): Promise<QueryResult>
  /** Most used first; empty if the engine keeps no history. */
  history(limit: number): Promise<readonly PastQuery[]>
  quote(identifier: string): string
  close(): Promise<void>
}

export type LeavesOut = (table: TableRef, column: string) => boolean

/** Resource limits of an engine that runs on this machine. */
export interface EngineBounds {
  /** Bytes of memory for each of its processes. */
  readonly memory?: number
  /** The file may stay open between statements, until `close`. Otherwise it is released after each statement. */
  readonly holdsFile?: boolean
}

/**
 * Kind of database, fully defined in its folder: its part of ken.yaml, the facts that trust and redaction need, and how
 * to open it. Loading a definition loads no driver.
 */
export interface WarehouseDefinition<Connection = unknown> extends WarehouseRules<Connection> {
  open(connection: Connection, bounds?: EngineBounds): Promise<Warehouse>
}

/** Missing parts do not compile: a file needs a path, and a secret must be a field of the connection. */
export const defineWarehouse = <Connection>(
  definition: WarehouseDefinition<Connection> & {
    readonly place: Connection extends { readonly path: string } ? 'file' | 'server' : 'server'
    readonly secrets: readonly (keyof Connection & string)[]
  },
): WarehouseDefinition<Connection> => definition
