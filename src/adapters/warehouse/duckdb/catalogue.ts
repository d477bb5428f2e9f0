import { toCatalogueRows, type Row, type RunRows } from '../../../core/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../../core/sql/catalogue.ts'

const OWN = 'database_name = current_database() AND NOT internal'

/** The whole catalogue in five queries. */
export async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const [tables, columns, primaryKeys, foreignKeys, indexes] = await Promise.all([
    rows(`
      SELECT schema_name, table_name, 'table' AS kind, comment AS comment_text, NULL AS view_sql,
        estimated_size AS row_estimate FROM duckdb_tables() WHERE ${OWN}
      UNION ALL SELECT schema_name, view_name, 'view', comment, sql, NULL FROM duckdb_views() WHERE ${OWN}
      ORDER BY 1, 2`),
    rows(`
      SELECT schema_name, table_name, column_name, data_type, is_nullable AS nullable, column_default AS default_text,
        comment AS comment_text
      FROM duckdb_columns() WHERE ${OWN} ORDER BY schema_name, table_name, column_index`),
    rows(`
      SELECT schema_name, table_name, unnest(constraint_column_names) AS column_name
      FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type = 'PRIMARY KEY'`),
    // A foreign key stays inside one schema here.
    rows(`
      SELECT schema_name, table_name, constraint_index AS constraint_name, unnest(constraint_column_names) AS column_name,
        schema_name AS to_schema,
        referenced_table AS to_table, unnest(referenced_column_names) AS to_column
      FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'`),
    rows(`
      SELECT schema_name, table_name, index_name, is_unique, expressions FROM duckdb_indexes()
      WHERE database_name = current_database() ORDER BY schema_name, table_name, index_name`),
  ])
  return toCatalogueRows({ tables, columns, primaryKeys, foreignKeys, indexes: indexes.flatMap(indexColumns) })
}

/** `[email, '"order"', 'lower(email)']`: expressions as DuckDB writes them, plain names without quotes. */
function indexColumns(row: Row): readonly Row[] {
  const items = String(row['expressions'] ?? '[]').replace(/^\[|\]$/g, '')
  const columns = (items.match(/'(?:[^']|'')*'|[^,]+/g) ?? []).map((item) =>
    item
      .trim()
      .replace(/^'(.*)'$/s, '$1')
      .replace(/^"(.*)"$/s, '$1'),
  )
  return columns.map((column) => ({ ...row, column_name: column }))
}
