import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import { readTableDdl } from '../../domain/sql/table-ddl.ts'

const OWN = 'database_name = current_database() AND NOT internal'

/** Whole catalogue in six queries. */
export async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const [tables, columns, keys, foreignKeys, indexes, checks] = await Promise.all([
    rows(`
      SELECT schema_name, table_name, 'table' AS kind, comment AS comment_text, NULL AS view_sql,
        estimated_size AS row_estimate, CASE WHEN sql LIKE '%GENERATED%' THEN sql END AS ddl
      FROM duckdb_tables() WHERE ${OWN}
      UNION ALL SELECT schema_name, view_name, 'view', comment, sql, NULL, NULL FROM duckdb_views() WHERE ${OWN}
      ORDER BY 1, 2`),
    rows(`
      SELECT schema_name, table_name, column_name, data_type, is_nullable AS nullable, column_default AS default_text,
        comment AS comment_text
      FROM duckdb_columns() WHERE ${OWN} ORDER BY schema_name, table_name, column_index`),
    rows(`
      SELECT schema_name, table_name, constraint_type, constraint_index AS constraint_name,
        unnest(constraint_column_names) AS column_name
      FROM duckdb_constraints()
      WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`),
    // A foreign key stays inside one schema here.
    rows(`
      SELECT schema_name, table_name, constraint_index AS constraint_name, unnest(constraint_column_names) AS column_name,
        schema_name AS to_schema,
        referenced_table AS to_table, unnest(referenced_column_names) AS to_column
      FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'`),
    rows(`
      SELECT schema_name, table_name, index_name, is_unique, expressions FROM duckdb_indexes()
      WHERE database_name = current_database() ORDER BY schema_name, table_name, index_name`),
    rows(`
      SELECT schema_name, table_name, expression FROM duckdb_constraints()
      WHERE database_name = current_database() AND constraint_type = 'CHECK'
      ORDER BY schema_name, table_name, constraint_index`),
  ])
  const isPrimary = (row: Row): boolean => row['constraint_type'] === 'PRIMARY KEY'
  return toCatalogueRows({
    tables,
    columns: withGenerated(columns, tables),
    primaryKeys: keys.filter(isPrimary),
    uniques: keys.filter((row) => !isPrimary(row)),
    foreignKeys,
    indexes: indexes.flatMap(indexColumns),
    checks,
  })
}

/** The catalogue returns the expression of a computed column as its default. */
function withGenerated(columns: readonly Row[], tables: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row): string => JSON.stringify([row['schema_name'], row['table_name']])
  const computed = new Map(
    tables.flatMap((row) =>
      row['ddl'] == null ? [] : [[keyOf(row), readTableDdl(String(row['ddl'])).generated] as const],
    ),
  )
  return columns.map((row) => {
    const generated = computed.get(keyOf(row))?.get(String(row['column_name']))
    return generated === undefined ? row : { ...row, generated, default_text: null }
  })
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
