import { athenaDialect } from '../src/context/warehouse/athena/dialect.ts'
import { bigqueryDialect } from '../src/context/warehouse/bigquery/dialect.ts'
import { clickhouseDialect } from '../src/context/warehouse/clickhouse/dialect.ts'
import { databricksDialect } from '../src/context/warehouse/databricks/dialect.ts'
import { duckdbDialect } from '../src/context/warehouse/duckdb/dialect.ts'
import { mssqlDialect } from '../src/context/warehouse/mssql/dialect.ts'
import { mysqlDialect } from '../src/context/warehouse/mysql/dialect.ts'
import { postgresDialect } from '../src/context/warehouse/postgres/dialect.ts'
import { redshiftDialect } from '../src/context/warehouse/redshift/dialect.ts'
import { snowflakeDialect } from '../src/context/warehouse/snowflake/dialect.ts'
import { sqliteDialect } from '../src/context/warehouse/sqlite/dialect.ts'
import { trinoDialect } from '../src/context/warehouse/trino/dialect.ts'

/** The dialects that sqlparser-rs parses, by name. */
export const PARSED_DIALECTS = {
  mysql: mysqlDialect,
  bigquery: bigqueryDialect,
  snowflake: snowflakeDialect,
  redshift: redshiftDialect,
  databricks: databricksDialect,
  clickhouse: clickhouseDialect,
  mssql: mssqlDialect,
  trino: trinoDialect,
  athena: athenaDialect,
}

/** All dialects, by name. */
export const DIALECTS = {
  duckdb: duckdbDialect,
  sqlite: sqliteDialect,
  postgres: postgresDialect,
  ...PARSED_DIALECTS,
}

export type DialectName = keyof typeof DIALECTS
export type ParsedDialectName = keyof typeof PARSED_DIALECTS
