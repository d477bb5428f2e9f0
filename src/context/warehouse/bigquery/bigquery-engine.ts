import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { backQuoted, connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { bigqueryDialect } from './dialect.ts'
import { openBigqueryDriver } from './driver.ts'
import type { BigqueryConnection } from './index.ts'

export async function openBigqueryWarehouse(given: BigqueryConnection): Promise<Warehouse> {
  const { secrets } = bigqueryEngine(given)
  const driver = await connectTo(`the BigQuery project ${given.project}`, secrets, () => openBigqueryDriver(given))
  return openRemoteWarehouse(bigqueryEngine({ ...given, location: driver.location }), driver)
}

export function bigqueryEngine({ project, dataset, location, credentials_json }: BigqueryConnection): RemoteEngine {
  const within = (place: string): string => `${backQuoted(project)}.${backQuoted(place)}.INFORMATION_SCHEMA`
  const region = within(`region-${(location ?? 'US').toLowerCase()}`)
  return {
    dialect: bigqueryDialect,
    database: project,
    searchPath: dataset === undefined ? [] : [dataset],
    secrets: [credentials_json, ...privateKeysOf(credentials_json)],
    readCatalogue: (rows) =>
      dataset === undefined
        ? readCatalogue(rows, region, readRegionSizes(rows, region))
        : readCatalogue(rows, within(dataset), readDatasetSizes(rows, within(dataset))),
    historySql: (limit) => `
      SELECT query AS sql_text, COUNT(*) AS times, MAX(creation_time) AS last_seen FROM ${region}.JOBS
      WHERE statement_type = 'SELECT' AND state = 'DONE' AND error_result IS NULL AND creation_time > TIMESTAMP_SUB(CURRENT_TIMESTAMP(),
        INTERVAL 30 DAY)
      GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
    quote: backQuoted,
  }
}

function privateKeysOf(credentials: string | undefined): readonly string[] {
  const { private_key, private_key_id } = JSON.parse(credentials ?? '{}') as {
    private_key?: string
    private_key_id?: string
  }
  return [private_key, private_key_id].filter((key) => key !== undefined)
}

/**
 * Whole catalogue in three queries. An account with rights on one dataset may read the views of that dataset, but not
 * those of a region.
 */
async function readCatalogue(rows: RunRows, views: string, sizes: Promise<readonly Row[]>): Promise<CatalogueRows> {
  const [listed, columns, stored] = await Promise.all([
    rows(`
      SELECT t.table_schema AS schema_name, t.table_name, t.table_type AS kind, o.option_value AS comment_text,
        v.view_definition AS view_sql
      FROM ${views}.TABLES t
        LEFT JOIN ${views}.TABLE_OPTIONS o ON o.table_schema = t.table_schema AND o.table_name = t.table_name
          AND o.option_name = 'description'
        LEFT JOIN ${views}.VIEWS v ON v.table_schema = t.table_schema AND v.table_name = t.table_name
      ORDER BY 1, 2`),
    rows(`
      SELECT t.table_schema AS schema_name, t.table_name, t.column_name, t.data_type, t.is_nullable AS nullable,
        NULLIF(t.column_default, 'NULL') AS default_text, f.description AS comment_text, t.is_partitioning_column,
          t.clustering_ordinal_position
      FROM ${views}.COLUMNS t
        LEFT JOIN ${views}.COLUMN_FIELD_PATHS f ON f.table_schema = t.table_schema AND f.table_name = t.table_name
          AND f.field_path = t.column_name
      ORDER BY 1, 2, t.ordinal_position`),
    // A region needs rights on the whole project, and a dataset allows at most 1,000 tables; without sizes there is
    // still a catalogue.
    sizes.catch(() => []),
  ])
  const sizeOf = new Map(stored.map((row) => [keyOf(row), row]))
  const tables: readonly Row[] = listed.map((row) => ({ ...sizeOf.get(keyOf(row)), ...row }))
  const byTable = Map.groupBy(columns, keyOf)
  return toCatalogueRows({
    tables: tables.map((row) => ({
      ...row,
      comment_text: unquoted(row['comment_text']),
      partition_key: partitionKey(byTable.get(keyOf(row)) ?? []),
    })),
    columns,
  })
}

const readRegionSizes = (rows: RunRows, region: string): Promise<readonly Row[]> =>
  rows(`
    SELECT table_schema AS schema_name, table_name, total_rows AS row_estimate, total_logical_bytes AS byte_estimate,
      CAST(storage_last_modified_time AS STRING) AS changed_at,
      CONCAT(total_rows, ' ', total_logical_bytes, ' ', storage_last_modified_time) AS data_mark
    FROM ${region}.TABLE_STORAGE WHERE NOT deleted`)

/** A dataset has no view of whole tables; their partitions add up to them. */
const readDatasetSizes = (rows: RunRows, dataset: string): Promise<readonly Row[]> =>
  rows(`
    SELECT table_schema AS schema_name, table_name, SUM(total_rows) AS row_estimate,
      SUM(total_logical_bytes) AS byte_estimate, CAST(MAX(last_modified_time) AS STRING) AS changed_at,
      CONCAT(SUM(total_rows), ' ', SUM(total_logical_bytes), ' ', MAX(last_modified_time)) AS data_mark
    FROM ${dataset}.PARTITIONS GROUP BY 1, 2`)

/** Columns that a query should filter by to scan less. */
function partitionKey(columns: readonly Row[]): string {
  const partition = columns.find((row) => row['is_partitioning_column'] === 'YES')
  const clustering = columns
    .filter((row) => row['clustering_ordinal_position'] !== null && row['clustering_ordinal_position'] !== undefined)
    .sort((a, b) => Number(a['clustering_ordinal_position']) - Number(b['clustering_ordinal_position']))
  return [
    ...(partition ? [`PARTITION BY ${String(partition['column_name'])}`] : []),
    ...(clustering.length > 0 ? [`CLUSTER BY ${clustering.map((row) => row['column_name']).join(', ')}`] : []),
  ].join('\n')
}

/** Options are returned as SQL literals. */
function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('"')) return value
  try {
    return JSON.parse(value)
  } catch {
    return value.slice(1, -1)
  }
}

const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
