import type { SqlDialect } from '../sql/name-traits.ts'

/** The first rows of a query that begins with SELECT. */
export const firstRows = (select: string, count: number, dialect: SqlDialect): string =>
  dialect === 'mssql' ? select.replace(/^SELECT\b/, `SELECT TOP ${count}`) : `${select} LIMIT ${count}`

/** A value of any type as text, so that it can be counted and compared. */
export function asText({ column, type }: { column: string; type: string }, dialect: SqlDialect): string {
  switch (dialect) {
    case 'bigquery':
      // Structs, arrays and JSON have no cast to text, and one of bytes fails where they are not UTF-8.
      return /^(?:string|bool)/i.test(type) ? `CAST(${column} AS STRING)` : `TO_JSON_STRING(${column})`
    case 'trino':
    case 'athena':
      if (/^varbinary/i.test(type)) return `to_hex(${column})`
      return /^(?:array|map|row|json)/i.test(type)
        ? `json_format(CAST(${column} AS JSON))`
        : `CAST(${column} AS VARCHAR)`
    case 'redshift':
      return /^super/i.test(type) ? `JSON_SERIALIZE(${column})` : `CAST(${column} AS VARCHAR(65535))`
    case 'clickhouse':
      // A cast to String fails at the first null; this keeps it.
      return `toString(${column})`
    default:
      return `CAST(${column} AS ${TEXT[dialect]})`
  }
}

/** Without a length SQL Server and Redshift cut: at 30 characters the one, at 256 the other. */
const TEXT = {
  duckdb: 'VARCHAR',
  sqlite: 'TEXT',
  postgres: 'TEXT',
  mysql: 'CHAR',
  snowflake: 'VARCHAR',
  databricks: 'STRING',
  mssql: 'NVARCHAR(4000)',
} as const

export const asDouble = (column: string, dialect: SqlDialect): string =>
  dialect === 'clickhouse' ? `toFloat64(${column})` : `CAST(${column} AS ${DOUBLE[dialect]})`

const DOUBLE = {
  duckdb: 'DOUBLE',
  sqlite: 'REAL',
  postgres: 'DOUBLE PRECISION',
  mysql: 'DOUBLE',
  bigquery: 'FLOAT64',
  snowflake: 'DOUBLE',
  redshift: 'DOUBLE PRECISION',
  databricks: 'DOUBLE',
  mssql: 'FLOAT',
  trino: 'DOUBLE',
  athena: 'DOUBLE',
} as const

/** Of a sample; undefined where the engine has none. */
export const standardDeviation = (expression: string, dialect: SqlDialect): string | undefined =>
  dialect === 'sqlite' ? undefined : `${dialect === 'mssql' ? 'STDEV' : 'STDDEV_SAMP'}(${expression})`
