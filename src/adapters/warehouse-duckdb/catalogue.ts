import type { CatalogueRows, TableKey } from '../../core/sql/catalogue.ts'

export type RunRows = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

const OWN = 'database_name = current_database() AND NOT internal'

/** The whole catalogue in five queries. */
export async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const tables = await rows(`
    SELECT schema_name, table_name, 'table' AS kind, comment, NULL AS sql, estimated_size FROM duckdb_tables() WHERE ${OWN}
    UNION ALL SELECT schema_name, view_name, 'view', comment, sql, NULL FROM duckdb_views() WHERE ${OWN}
    ORDER BY 1, 2`)
  const columns = await rows(`
    SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, comment
    FROM duckdb_columns() WHERE ${OWN} ORDER BY schema_name, table_name, column_index`)
  const keys = await rows(`
    SELECT schema_name, table_name, constraint_type, constraint_index, to_json(constraint_column_names) AS columns,
      referenced_table, to_json(referenced_column_names) AS referenced
    FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
    ORDER BY schema_name, table_name, constraint_index`)
  const indexes = await rows(`
    SELECT schema_name, table_name, index_name, is_unique, expressions FROM duckdb_indexes()
    WHERE database_name = current_database() ORDER BY schema_name, table_name, index_name`)
  return {
    tables: tables.map((row) => ({
      ...keyOf(row),
      kind: row['kind'] === 'view' ? 'view' : 'table',
      comment: text(row['comment']),
      viewSql: text(row['sql']),
      partitions: [],
      rows: row['estimated_size'] == null ? undefined : { count: Number(row['estimated_size']), exact: false },
    })),
    columns: columns.map((row) => ({
      ...keyOf(row),
      name: String(row['column_name']),
      type: String(row['data_type']),
      nullable: row['is_nullable'] === true,
      default: text(row['column_default']),
      comment: text(row['comment']),
    })),
    primaryKeys: keys.filter((row) => row['constraint_type'] === 'PRIMARY KEY').flatMap((row) => list(row['columns']).map((column) => ({ ...keyOf(row), column }))),
    foreignKeys: keys.filter((row) => row['constraint_type'] === 'FOREIGN KEY').flatMap(foreignKeyRows),
    indexes: indexes.map((row) => ({ ...keyOf(row), name: String(row['index_name']), columns: indexColumns(row['expressions']), unique: row['is_unique'] === true })),
  }
}

/** DuckDB keeps a foreign key inside one schema. */
function foreignKeyRows(row: Readonly<Record<string, unknown>>): CatalogueRows['foreignKeys'] {
  const referenced = list(row['referenced'])
  return list(row['columns']).map((column, i) => ({
    ...keyOf(row),
    constraint: String(row['constraint_index']),
    column,
    toSchema: String(row['schema_name']),
    toTable: String(row['referenced_table']),
    toColumn: referenced[i] ?? '',
  }))
}

const keyOf = (row: Readonly<Record<string, unknown>>): TableKey => ({ schema: String(row['schema_name']), table: String(row['table_name']) })
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const list = (value: unknown): readonly string[] => (value == null ? [] : (JSON.parse(String(value)) as string[]))

/** `[email, '"order"', 'lower(email)']`: expressions as DuckDB writes them, plain names without quotes. */
function indexColumns(value: unknown): readonly string[] {
  const items = String(value ?? '[]').replace(/^\[|\]$/g, '')
  return (items.match(/'(?:[^']|'')*'|[^,]+/g) ?? []).map((item) => item.trim().replace(/^'(.*)'$/s, '$1').replace(/^"(.*)"$/s, '$1'))
}
