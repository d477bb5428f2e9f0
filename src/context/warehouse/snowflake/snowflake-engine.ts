import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { connectTo, doubleQuoted, escapedLiteral, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { snowflakeDialect } from './dialect.ts'
import { openSnowflakeDriver } from './driver.ts'
import type { SnowflakeConnection } from './index.ts'

export async function openSnowflakeWarehouse(given: SnowflakeConnection): Promise<Warehouse> {
  const engine = snowflakeEngine(given)
  const driver = await connectTo(
    `the Snowflake account ${given.account}`,
    engine.secrets,
    () => openSnowflakeDriver(given),
    given.authenticator === 'EXTERNALBROWSER' ? BROWSER_MS : undefined,
  )
  return openRemoteWarehouse(engine, driver)
}

// Snowflake's client waits two minutes for a person to sign in.
const BROWSER_MS = 130_000

export const snowflakeEngine = ({
  database,
  schema,
  password,
  token,
  private_key_passphrase,
}: SnowflakeConnection): RemoteEngine => ({
  dialect: snowflakeDialect,
  database,
  searchPath: [schema],
  secrets: [password, token, private_key_passphrase],
  readCatalogue: (rows) => readCatalogue(rows, doubleQuoted(database)),
  historySql: (limit) => `
    SELECT QUERY_TEXT AS sql_text, count(*) AS times, max(START_TIME) AS last_seen FROM SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY
    WHERE QUERY_TYPE = 'SELECT' AND EXECUTION_STATUS = 'SUCCESS' AND DATABASE_NAME = ${escapedLiteral(database)} AND START_TIME > dateadd(day,
      -30, current_timestamp())
    GROUP BY QUERY_TEXT ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})

/**
 * Whole catalogue of one database in five queries. Snowflake keeps keys but does not enforce them, and has no indexes.
 */
async function readCatalogue(rows: RunRows, database: string): Promise<CatalogueRows> {
  const schema = `${database}.INFORMATION_SCHEMA`
  const [tables, columns, primaryKeys, foreignKeys, uniques] = await Promise.all([
    rows(`
      SELECT t.TABLE_SCHEMA AS schema_name, t.TABLE_NAME AS table_name, t.TABLE_TYPE AS kind, t.COMMENT AS comment_text,
        v.VIEW_DEFINITION AS view_sql,
        t.CLUSTERING_KEY AS partition_key, t.ROW_COUNT AS row_estimate, t.BYTES AS byte_estimate,
        CASE WHEN t.ROW_COUNT IS NOT NULL THEN t.LAST_ALTERED END AS changed_at,
        CASE WHEN t.ROW_COUNT IS NOT NULL THEN concat_ws(' ', t.ROW_COUNT, t.BYTES, t.LAST_ALTERED) END AS data_mark
      FROM ${schema}.TABLES t LEFT JOIN ${schema}.VIEWS v ON v.TABLE_SCHEMA = t.TABLE_SCHEMA AND v.TABLE_NAME = t.TABLE_NAME
      WHERE t.TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY 1, 2`),
    rows(`
      SELECT TABLE_SCHEMA AS schema_name, TABLE_NAME AS table_name, COLUMN_NAME AS column_name,
        CASE WHEN NUMERIC_SCALE > 0 THEN concat(DATA_TYPE, '(', NUMERIC_PRECISION, ',', NUMERIC_SCALE, ')') ELSE DATA_TYPE END AS data_type,
        IS_NULLABLE AS nullable, CASE WHEN IS_IDENTITY = 'YES' THEN 'identity' END AS generated,
        COLUMN_DEFAULT AS default_text, COMMENT AS comment_text
      FROM ${schema}.COLUMNS WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`),
    rows(`SHOW PRIMARY KEYS IN DATABASE ${database}`),
    rows(`SHOW IMPORTED KEYS IN DATABASE ${database}`),
    rows(`SHOW UNIQUE KEYS IN DATABASE ${database}`),
  ])
  return toCatalogueRows({
    tables,
    columns,
    primaryKeys: inOrder(primaryKeys),
    uniques: inOrder(uniques),
    foreignKeys: inOrder(foreignKeys).map(toForeignKey),
  })
}

const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => Number(a['key_sequence']) - Number(b['key_sequence']))

const toForeignKey = (row: Row): Row => ({
  schema_name: row['fk_schema_name'],
  table_name: row['fk_table_name'],
  constraint_name: row['fk_name'],
  column_name: row['fk_column_name'],
  to_schema: row['pk_schema_name'],
  to_table: row['pk_table_name'],
  to_column: row['pk_column_name'],
})
