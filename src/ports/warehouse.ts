/** A column as the engine's catalogue tells it. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | undefined
  readonly comment: string | undefined
}

export interface TableRef {
  readonly database: string
  readonly schema: string
  readonly name: string
}

export interface TableSummary extends TableRef {
  readonly kind: 'table' | 'view' | 'materialized view' | 'external'
  readonly comment: string | undefined
  /** Changes whenever columns, types, keys or comments change; equal fingerprints mean an equal description. */
  readonly fingerprint: string
}

export interface TableDetails extends TableSummary {
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly { readonly columns: readonly string[]; readonly references: TableRef; readonly referenced: readonly string[] }[]
  readonly indexes: readonly { readonly name: string; readonly columns: readonly string[]; readonly unique: boolean }[]
  readonly partitions: readonly string[]
  /** Exact for small tables, the engine's estimate for large ones; undefined where neither can be had cheaply. */
  readonly rows: { readonly count: number; readonly exact: boolean } | undefined
  readonly viewSql: string | undefined
}

export type Cell = string | number | bigint | boolean | null

export interface QueryLimits {
  readonly rows: number
  readonly bytes: number
  readonly milliseconds: number
}

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
  /** True when the limits cut the result short. */
  readonly truncated: boolean
}

/** One statement of the query history, where the engine keeps one. */
export interface PastQuery {
  readonly sql: string
  readonly times: number
  readonly lastSeen: string | undefined
}

/**
 * One database, opened read-only at the engine itself. Every adapter passes test/contract/warehouse.contract.ts.
 * Failures are AppErrors: `unavailable` when it cannot be reached, `invalid_input` for SQL the engine refuses.
 */
export interface Warehouse {
  /** The dialect that statements are parsed in: duckdb, sqlite, postgres, mysql, bigquery, snowflake, … */
  readonly dialect: string
  tables(): Promise<readonly TableSummary[]>
  describe(table: TableRef): Promise<TableDetails>
  /** Runs one statement inside the limits. Aborting reaches the engine: the statement stops there too. */
  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult>
  /** Newest first; empty where the engine keeps no history. */
  history(limit: number): Promise<readonly PastQuery[]>
  quote(identifier: string): string
  close(): Promise<void>
}
