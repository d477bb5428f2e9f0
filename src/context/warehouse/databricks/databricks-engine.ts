import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { backQuoted, connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { databricksDialect } from './dialect.ts'
import { openDatabricksDriver } from './driver.ts'
import type { DatabricksConnection } from './index.ts'

export async function openDatabricksWarehouse(given: DatabricksConnection): Promise<Warehouse> {
  const engine = databricksEngine(given)
  const driver = await connectTo(
    `the Databricks workspace ${given.host}`,
    engine.secrets,
    () => openDatabricksDriver(given),
    START_MS,
  )
  return openRemoteWarehouse(engine, driver)
}

// A stopped SQL warehouse starts with the session, which takes minutes unless it is serverless.
const START_MS = 360_000

export const databricksEngine = ({ catalog, schema, token, client_secret }: DatabricksConnection): RemoteEngine => ({
  dialect: databricksDialect,
  database: catalog,
  searchPath: [schema],
  secrets: [token, client_secret],
  readCatalogue: (rows) => readCatalogue(rows, backQuoted(catalog)),
  historySql: (limit) => `
    SELECT statement_text AS sql_text, count(*) AS times, max(start_time) AS last_seen FROM system.query.history
    WHERE statement_type = 'SELECT' AND execution_status = 'FINISHED' AND start_time > current_timestamp() - INTERVAL 30 DAYS
    GROUP BY statement_text ORDER BY times DESC LIMIT ${limit}`,
  quote: backQuoted,
})

/** Whole catalogue in four queries over Unity Catalog's information schema. It has no row counts. */
async function readCatalogue(rows: RunRows, catalog: string): Promise<CatalogueRows> {
  const schema = `${catalog}.information_schema`
  const [tables, columns, primaryKeys, foreignKeys] = await Promise.all([
    rows(`
      SELECT t.table_schema AS schema_name, t.table_name, t.table_type AS kind, t.comment AS comment_text, v.view_definition AS view_sql,
        CASE WHEN v.view_definition IS NULL THEN CAST(t.last_altered AS STRING) END AS changed_at,
        CASE WHEN v.view_definition IS NULL THEN CAST(t.last_altered AS STRING) END AS data_mark
      FROM ${schema}.tables t LEFT JOIN ${schema}.views v ON v.table_schema = t.table_schema AND v.table_name = t.table_name
      WHERE t.table_schema <> 'information_schema' ORDER BY 1, 2`),
    rows(`
      SELECT table_schema AS schema_name, table_name, column_name, full_data_type AS data_type, is_nullable AS nullable,
        column_default AS default_text,
        comment AS comment_text, partition_index
      FROM ${schema}.columns WHERE table_schema <> 'information_schema' ORDER BY 1, 2, ordinal_position`),
    rows(`
      SELECT k.table_schema AS schema_name, k.table_name, k.column_name FROM ${schema}.table_constraints c
        JOIN ${schema}.key_column_usage k ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name
      WHERE c.constraint_type = 'PRIMARY KEY' ORDER BY 1, 2, k.ordinal_position`),
    rows(`
      SELECT k.table_schema AS schema_name, k.table_name, k.constraint_name, k.column_name, u.table_schema AS to_schema,
        u.table_name AS to_table, u.column_name AS to_column
      FROM ${schema}.referential_constraints r
        JOIN ${schema}.key_column_usage k ON k.constraint_schema = r.constraint_schema AND k.constraint_name = r.constraint_name
        JOIN ${schema}.key_column_usage u ON u.constraint_schema = r.unique_constraint_schema
          AND u.constraint_name = r.unique_constraint_name
          AND u.ordinal_position = k.position_in_unique_constraint
      ORDER BY 1, 2, 3, k.ordinal_position`),
  ])
  const partitioned = Map.groupBy(
    columns.filter((row) => row['partition_index'] !== null && row['partition_index'] !== undefined),
    keyOf,
  )
  return toCatalogueRows({
    tables: tables.map((row) => ({ ...row, partition_key: partitionKey(partitioned.get(keyOf(row)) ?? []) })),
    columns,
    primaryKeys,
    foreignKeys,
  })
}

const partitionKey = (columns: readonly Row[]): string =>
  columns
    .toSorted((a, b) => Number(a['partition_index']) - Number(b['partition_index']))
    .map((row) => String(row['column_name']))
    .join('\n')

const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
