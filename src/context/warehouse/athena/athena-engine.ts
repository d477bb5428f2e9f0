import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { connectTo, doubleQuoted, openRemoteWarehouse, type RemoteEngine, literal } from '../remote-warehouse.ts'
import { athenaDialect } from './dialect.ts'
import { openAthenaDriver } from './driver.ts'
import type { AthenaConnection } from './index.ts'

export async function openAthenaWarehouse(given: AthenaConnection): Promise<Warehouse> {
  const engine = athenaEngine(given)
  const driver = await connectTo(`Athena in ${given.region}`, engine.secrets, () => openAthenaDriver(given))
  return openRemoteWarehouse(engine, driver)
}

export const athenaEngine = ({
  catalog,
  database,
  access_key_id,
  secret_access_key,
  session_token,
}: AthenaConnection): RemoteEngine => ({
  dialect: athenaDialect,
  database: catalog,
  searchPath: [database],
  secrets: [access_key_id, secret_access_key, session_token],
  readCatalogue: (rows) => readCatalogue(rows, database),
  historySql: () => undefined,
  quote: doubleQuoted,
})

/**
 * One database of the Glue catalogue in two queries. It has neither keys nor row counts; partition columns are marked.
 */
async function readCatalogue(rows: RunRows, database: string): Promise<CatalogueRows> {
  const own = `table_schema = ${literal(database)}`
  const [tables, columns] = await Promise.all([
    rows(
      `SELECT table_schema AS schema_name, table_name, table_type AS kind FROM information_schema.tables WHERE ${own} ORDER BY 1, 2`,
    ),
    rows(`
      SELECT table_schema AS schema_name, table_name, column_name, data_type, is_nullable AS nullable, column_default AS default_text,
        comment AS comment_text,
        extra_info
      FROM information_schema.columns WHERE ${own} ORDER BY 1, 2, ordinal_position`),
  ])
  const partitioned = Map.groupBy(
    columns.filter((row) => row['extra_info'] === 'partition key'),
    keyOf,
  )
  return toCatalogueRows({
    tables: tables.map((row) => ({
      ...row,
      partition_key: (partitioned.get(keyOf(row)) ?? []).map((column) => String(column['column_name'])).join('\n'),
    })),
    columns,
  })
}

const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
