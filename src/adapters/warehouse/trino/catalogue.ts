import { toCatalogueRows, type RunRows } from '../../../core/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../../core/sql/catalogue.ts'
import { doubleQuoted, literal } from '../remote-warehouse.ts'

/** One catalog in two queries. Trino itself knows neither keys nor row counts. */
export async function readCatalogue(rows: RunRows, catalog: string): Promise<CatalogueRows> {
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
