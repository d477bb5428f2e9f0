import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { WarehouseRules } from '../domain/context-project/source-rules.ts'
import type { TableDetails, TableRef } from '../domain/sql/catalogue.ts'
import type { SqlDialect } from '../domain/sql/dialect.ts'
import type { PastQuery, QueryLimits, QueryResult } from '../domain/sql/query.ts'
import type { ParsedSql } from '../domain/sql/statement.ts'

export type { TableDetails, TableRef, TableSummary } from '../domain/sql/catalogue.ts'
export type { Cell, PastQuery, QueryLimits, QueryResult } from '../domain/sql/query.ts'
export type { StopSignal } from '../../kernel/domain/stop.ts'

/**
 * One database, opened read-only at the engine itself. Every adapter passes test/contract/warehouse.contract.ts.
 * Failures are AppErrors: `unavailable` when it cannot be reached or ran out of time, `stopped` when the caller stopped
 * it, `invalid_input` for SQL the engine refuses. No message holds a password.
 */
export interface Warehouse {
  /** The dialect that statements are parsed and judged in. */
  readonly dialect: SqlDialect
  /** Reads the whole catalogue anew, in a handful of round trips however many tables there are. */
  tables(): Promise<readonly TableDetails[]>
  /** One table of the catalogue that `tables()` read last, with its row count as of now. Throws `not_found`. */
  describe(table: TableRef): Promise<TableDetails>
  /**
   * Facts of the rows of one table, asked when its mark is no longer what it was: equal ones mean the same rows.
   * Undefined, or no such method, where the mark is all there is; empty where neither tells anything of this table. What
   * `leavesOut` names is no part of them: they are kept in a file that is committed.
   */
  look?(table: TableRef, leavesOut?: LeavesOut): Promise<string | undefined>
  /** What a text of SQL would do, read by the engine's own grammar or the nearest there is. Nothing runs. */
  parse(sql: string): Promise<ParsedSql>
  /** Runs one statement inside the limits. Aborting reaches the engine: the statement stops there too. */
  query(sql: string, limits: QueryLimits, signal?: StopSignal): Promise<QueryResult>
  /** Most used first; empty where the engine keeps no history. */
  history(limit: number): Promise<readonly PastQuery[]>
  quote(identifier: string): string
  close(): Promise<void>
}

export type LeavesOut = (table: TableRef, column: string) => boolean

/** What an engine that runs on this machine may use. */
export interface EngineBounds {
  /** Bytes of memory, for each of its processes. */
  readonly memory?: number
  /** The file may stay open between two statements, until `close`. Otherwise each one lets go of it. */
  readonly holdsFile?: boolean
}

/**
 * A kind of database, defined whole in its folder: what ken.yaml may say of it, what trust and redaction must know, and
 * how to open it. Loading a definition loads no driver.
 */
export interface WarehouseDefinition<Connection = unknown> extends WarehouseRules<Connection> {
  open(connection: Connection, bounds?: EngineBounds): Promise<Warehouse>
}

/** What is missing does not compile: a file needs a path, and a secret must be a field of the connection. */
export const defineWarehouse = <Connection>(
  definition: WarehouseDefinition<Connection> & {
    readonly place: Connection extends { readonly path: string } ? 'file' | 'server' : 'server'
    readonly secrets: readonly (keyof Connection & string)[]
  },
): WarehouseDefinition<Connection> => definition
