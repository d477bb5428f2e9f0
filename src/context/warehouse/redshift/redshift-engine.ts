import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { connectTo, doubleQuoted, literal, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { redshiftDialect } from './dialect.ts'
import { openRedshiftDriver } from './driver.ts'
import type { RedshiftConnection } from './index.ts'

export async function openRedshiftWarehouse(given: RedshiftConnection): Promise<Warehouse> {
  const engine = redshiftEngine(given)
  const driver = await connectTo(`the Redshift database ${given.database}`, engine.secrets, () =>
    openRedshiftDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const redshiftEngine = ({ database, schema, password }: RedshiftConnection): RemoteEngine => ({
  dialect: redshiftDialect,
  database,
  searchPath: [schema],
  secrets: [password],
  readCatalogue,
  historySql: (limit) => `
    SELECT query_text AS sql_text, count(*) AS times, max(start_time) AS last_seen FROM sys_query_history
    WHERE query_type = 'SELECT' AND status = 'success' AND database_name = ${literal(database)} AND start_time > dateadd(day, -30, getdate())
    GROUP BY query_text ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})

const OWN = (schema: string): string =>
  `${schema} NOT IN ('information_schema', 'pg_catalog', 'pg_internal', 'pg_automv')`

/**
 * Whole catalogue in six queries. `svv_table_info` is read by the compute nodes and `information_schema` by the leader
 * node alone, so no query reads both. The sort and distribution keys are used as partitions: they determine how much a
 * query scans.
 */
async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const listed = await rows(`
    SELECT table_schema AS schema_name, table_name, table_type AS kind, remarks AS comment_text
    FROM svv_tables WHERE ${OWN('table_schema')} ORDER BY 1, 2`)
  const views = await rows(`
    SELECT table_schema AS schema_name, table_name, view_definition AS view_sql
    FROM information_schema.views WHERE ${OWN('table_schema')}`)
  // Many roles may not read it.
  const sizes = await rows(`
    SELECT "schema" AS schema_name, "table" AS table_name, tbl_rows AS row_estimate, size * 1048576 AS byte_estimate,
      tbl_rows || ' ' || size AS data_mark,
      CASE WHEN sortkey1 IS NULL OR sortkey1 = '' THEN 'DISTSTYLE ' || diststyle
        ELSE 'DISTSTYLE ' || diststyle || chr(10) || 'SORTKEY (' || sortkey1 || ')' END AS partition_key
    FROM svv_table_info`).catch(() => [])
  const more = Map.groupBy([...views, ...sizes], keyOf)
  const tables = listed.map((row) => Object.assign({}, ...(more.get(keyOf(row)) ?? []), row) as Row)
  const columns = await rows(`
    SELECT table_schema AS schema_name, table_name, column_name, is_nullable AS nullable, column_default AS default_text,
      remarks AS comment_text,
      CASE WHEN character_maximum_length IS NOT NULL THEN data_type || '(' || character_maximum_length || ')'
        WHEN data_type = 'numeric' THEN 'numeric(' || numeric_precision || ',' || numeric_scale || ')' ELSE data_type END AS data_type
    FROM svv_columns WHERE ${OWN('table_schema')} ORDER BY 1, 2, ordinal_position`)
  const keys = await rows(`
    SELECT k.table_schema AS schema_name, k.table_name, k.column_name, c.constraint_name, c.constraint_type FROM information_schema.table_constraints c
      JOIN information_schema.key_column_usage k ON k.constraint_schema = c.constraint_schema
        AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name
    WHERE c.constraint_type IN ('PRIMARY KEY', 'UNIQUE') AND ${OWN('k.table_schema')} ORDER BY 1, 2, k.ordinal_position`)
  const foreignKeys = await rows(`
    SELECT k.table_schema AS schema_name, k.table_name, k.constraint_name, k.column_name, u.table_schema AS to_schema,
      u.table_name AS to_table, u.column_name AS to_column
    FROM information_schema.referential_constraints r
      JOIN information_schema.key_column_usage k ON k.constraint_schema = r.constraint_schema AND k.constraint_name = r.constraint_name
      JOIN information_schema.key_column_usage u ON u.constraint_schema = r.unique_constraint_schema
        AND u.constraint_name = r.unique_constraint_name
        AND u.ordinal_position = k.ordinal_position
    WHERE ${OWN('k.table_schema')} ORDER BY 1, 2, 3, k.ordinal_position`)
  const isUnique = (row: Row): boolean => row['constraint_type'] === 'UNIQUE'
  return toCatalogueRows({
    tables,
    columns: columns.map(withIdentity),
    primaryKeys: keys.filter((row) => !isUnique(row)),
    uniques: keys.filter(isUnique),
    foreignKeys,
  })
}

/** The default of an identity column is a call of its counter function. */
const withIdentity = (row: Row): Row =>
  String(row['default_text']).startsWith('"identity"(') ? { ...row, default_text: null, generated: 'identity' } : row

const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
