import { athenaDialect } from '../src/adapters/warehouse/athena/dialect.ts'
import { bigqueryDialect } from '../src/adapters/warehouse/bigquery/dialect.ts'
import { clickhouseDialect } from '../src/adapters/warehouse/clickhouse/dialect.ts'
import { databricksDialect } from '../src/adapters/warehouse/databricks/dialect.ts'
import { duckdbDialect } from '../src/adapters/warehouse/duckdb/dialect.ts'
import { mssqlDialect } from '../src/adapters/warehouse/mssql/dialect.ts'
import { mysqlDialect } from '../src/adapters/warehouse/mysql/dialect.ts'
import { postgresDialect } from '../src/adapters/warehouse/postgres/dialect.ts'
import { redshiftDialect } from '../src/adapters/warehouse/redshift/dialect.ts'
import { snowflakeDialect } from '../src/adapters/warehouse/snowflake/dialect.ts'
import { sqliteDialect } from '../src/adapters/warehouse/sqlite/dialect.ts'
import { trinoDialect } from '../src/adapters/warehouse/trino/dialect.ts'

/** The dialects that sqlparser-rs reads, by name. */
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

/** Every dialect there is, by name. */
export const DIALECTS = {
  duckdb: duckdbDialect,
  sqlite: sqliteDialect,
  postgres: postgresDialect,
  ...PARSED_DIALECTS,
}

export type DialectName = keyof typeof DIALECTS
export type ParsedDialectName = keyof typeof PARSED_DIALECTS
