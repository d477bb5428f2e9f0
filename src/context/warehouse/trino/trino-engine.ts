import { toCatalogueRows, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { connectTo, doubleQuoted, literal, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { trinoDialect } from './dialect.ts'
import { openTrinoDriver } from './driver.ts'
import type { TrinoConnection } from './index.ts'

export async function openTrinoWarehouse(given: TrinoConnection): Promise<Warehouse> {
  const engine = trinoEngine(given)
  const driver = await connectTo(`the Trino server ${given.host}`, engine.secrets, () => openTrinoDriver(given))
  return openRemoteWarehouse(engine, driver)
}

export const trinoEngine = ({ catalog, schema, password, token }: TrinoConnection): RemoteEngine => ({
  dialect: trinoDialect,
  database: catalog,
  searchPath: [schema],
  secrets: [password, token],
  readCatalogue: (rows) => readCatalogue(rows, catalog),
  // The coordinator only remembers recent queries.
  historySql: (limit) => `
    SELECT query AS sql_text, count(*) AS times, max(created) AS last_seen FROM system.runtime.queries
    WHERE state = 'FINISHED' AND regexp_like(query, '(?i)^\\s*(select|with)') AND query NOT LIKE ${literal('%information_schema%')}
    GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})

/** One catalog in two queries. Trino itself has neither keys nor row counts. */
async function readCatalogue(rows: RunRows, catalog: string): Promise<CatalogueRows> {
  const schema = `${doubleQuoted(catalog)}.information_schema`
  const [tables, columns] = await Promise.all([
    rows(`
      SELECT t.table_schema AS schema_name, t.table_name, CASE WHEN m.name IS NULL THEN t.table_type ELSE 'MATERIALIZED VIEW' END AS kind,
        c.comment AS comment_text, coalesce(m.definition, v.view_definition) AS view_sql
      FROM ${schema}.tables t
        LEFT JOIN system.metadata.table_comments c ON c.catalog_name = ${literal(catalog)} AND c.schema_name = t.table_schema
          AND c.table_name = t.table_name
        LEFT JOIN system.metadata.materialized_views m ON m.catalog_name = ${literal(catalog)} AND m.schema_name = t.table_schema
          AND m.name = t.table_name
        LEFT JOIN ${schema}.views v ON v.table_schema = t.table_schema AND v.table_name = t.table_name
      WHERE t.table_schema <> 'information_schema' ORDER BY 1, 2`),
    rows(`
      SELECT table_schema AS schema_name, table_name, column_name, data_type, is_nullable AS nullable, column_default AS default_text
      FROM ${schema}.columns WHERE table_schema <> 'information_schema' ORDER BY 1, 2, ordinal_position`),
  ])
  return toCatalogueRows({ tables, columns })
}
