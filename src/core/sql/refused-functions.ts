import { CLICKHOUSE_ENDINGS, CLICKHOUSE_ROWS, CLICKHOUSE_VALUES } from './functions/clickhouse.ts'
import { DUCKDB_ROWS, DUCKDB_VALUES } from './functions/duckdb.ts'
import { MYSQL_ROWS, MYSQL_VALUES } from './functions/mysql.ts'
import { POSTGRES_VALUES } from './functions/postgres.ts'
import {
  BIGQUERY_VALUES,
  DATABRICKS_VALUES,
  MSSQL_VALUES,
  REDSHIFT_EXTRA,
  REMOTE_ROWS,
  SNOWFLAKE_VALUES,
  TRINO_VALUES,
} from './functions/remote.ts'
import { SQLITE_ROWS, SQLITE_VALUES } from './functions/sqlite.ts'
import type { SqlDialect } from './name-traits.ts'
import type { FunctionUse } from './statement.ts'

/**
 * Why a function may not be called, as the end of the sentence `name() …`; undefined when it may: only what is known to
 * compute may run.
 */
export function refusedFunction(
  { name, schema, place = 'value' }: FunctionUse,
  dialect: SqlDialect,
  ownFunctions: readonly string[] = [],
): string | undefined {
  const { values, rows, schemas } = PURE[dialect]
  if (ownFunctions.includes(name))
    return 'is a function that somebody made in this database, and what it reads cannot be checked'
  const isSystem = schema === undefined || schemas.includes(schema)
  const known = place === 'rows' ? rows : values
  const isKnown = isSystem ? known.has(name) : known.has(`${schema}.${name}`)
  if (isKnown || (dialect === 'clickhouse' && isSystem && place === 'value' && isCombined(name))) return undefined
  return isSystem
    ? 'is not among the functions that are known only to compute'
    : `of ${schema} is not among the functions that are known only to compute`
}

interface PureFunctions {
  readonly values: ReadonlySet<string>
  /** Those that stand where a table stands. */
  readonly rows: ReadonlySet<string>
  /** Schemas that hold the engine's own functions only. */
  readonly schemas: readonly string[]
}

const pure = (values: string, rows: string, schemas: readonly string[] = []): PureFunctions => ({
  values: namesIn(values),
  rows: namesIn(rows),
  schemas,
})

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((name) => name !== ''))

const PURE: Readonly<Record<SqlDialect, PureFunctions>> = {
  duckdb: pure(DUCKDB_VALUES, DUCKDB_ROWS, ['pg_catalog']),
  sqlite: pure(SQLITE_VALUES, SQLITE_ROWS),
  postgres: pure(POSTGRES_VALUES, POSTGRES_VALUES, ['pg_catalog']),
  mysql: pure(MYSQL_VALUES, MYSQL_ROWS),
  bigquery: pure(BIGQUERY_VALUES, REMOTE_ROWS.bigquery, ['safe']),
  snowflake: pure(SNOWFLAKE_VALUES, REMOTE_ROWS.snowflake),
  redshift: pure(`${POSTGRES_VALUES} ${REDSHIFT_EXTRA}`, REMOTE_ROWS.redshift, ['pg_catalog']),
  databricks: pure(DATABRICKS_VALUES, REMOTE_ROWS.databricks),
  clickhouse: pure(CLICKHOUSE_VALUES, CLICKHOUSE_ROWS),
  mssql: pure(MSSQL_VALUES, REMOTE_ROWS.mssql),
  trino: pure(TRINO_VALUES, REMOTE_ROWS.trino),
  athena: pure(TRINO_VALUES, REMOTE_ROWS.athena),
}

function isCombined(name: string): boolean {
  const base = CLICKHOUSE_ENDINGS.exec(name)?.[1]
  return base !== undefined && (PURE.clickhouse.values.has(base) || isCombined(base))
}
