export const SQL_DIALECTS = [
  'duckdb',
  'sqlite',
  'postgres',
  'mysql',
  'bigquery',
  'snowflake',
  'redshift',
  'databricks',
  'clickhouse',
  'mssql',
  'trino',
  'athena',
] as const

export type SqlDialect = (typeof SQL_DIALECTS)[number]

/** What a dialect lets a name mean beyond table and column. */
export interface NameTraits {
  /** `a.b` may be field b of column a. */
  readonly fields: boolean
  /** `t.f` may call the function f with a row of t. */
  readonly attributeCalls: boolean
  /** `x.t` may be table t of database x. */
  readonly databaseBeforeTable: boolean
  /** Schemas whose tables a bare name finds before all others. */
  readonly hiddenSchema: RegExp | undefined
  /** A setting of the server decides whether `Users` and `users` are the same. */
  readonly caseBySetting: boolean
  /** Columns that the engine adds and that tell nothing of a hidden one. */
  readonly addedColumns: readonly string[]
  /** Names under which the engine also gives a declared column, which may be a hidden one. */
  readonly secondNames: readonly string[]
}

const PLAIN: NameTraits = {
  fields: true,
  attributeCalls: false,
  databaseBeforeTable: false,
  hiddenSchema: undefined,
  caseBySetting: false,
  addedColumns: [],
  secondNames: [],
}
const POSTGRES: NameTraits = {
  ...PLAIN,
  fields: false,
  attributeCalls: true,
  hiddenSchema: /^pg_/,
  addedColumns: ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'],
}

export const NAME_TRAITS: Readonly<Record<SqlDialect, NameTraits>> = {
  duckdb: { ...PLAIN, databaseBeforeTable: true, addedColumns: ['rowid'] },
  sqlite: { ...PLAIN, fields: false, addedColumns: ['rank'], secondNames: ['rowid', 'oid', '_rowid_'] },
  postgres: POSTGRES,
  mysql: { ...PLAIN, fields: false, secondNames: ['_rowid'] },
  bigquery: { ...PLAIN, addedColumns: ['_partitiontime', '_partitiondate', '_table_suffix', '_file_name'] },
  snowflake: PLAIN,
  redshift: { ...POSTGRES, fields: true, attributeCalls: false },
  databricks: { ...PLAIN, addedColumns: ['_metadata'] },
  clickhouse: { ...PLAIN, addedColumns: ['_part', '_partition_id'] },
  mssql: { ...PLAIN, caseBySetting: true, secondNames: ['$rowguid', '$identity'] },
  trino: PLAIN,
  athena: PLAIN,
}

export const isSqlDialect = (name: string): name is SqlDialect => (SQL_DIALECTS as readonly string[]).includes(name)
