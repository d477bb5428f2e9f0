import type { CatalogueRows, TableKey, TableRow } from '../../core/sql/catalogue.ts'

type Row = Readonly<Record<string, unknown>>
export type RunRows = (sql: string) => Promise<readonly Row[]>

// A partition is told by its parent; what an extension brought or may not be read is not listed.
const OWN = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> 'information_schema'
  AND n.nspname !~ '^pg_' AND has_any_column_privilege(c.oid, 'SELECT')
  AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')`
const FROM = 'pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace'

/** The whole catalogue in five queries. */
export async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const [tables, columns, primaryKeys, foreignKeys, indexes] = await Promise.all([
    rows(`
      SELECT n.nspname AS schema, c.relname AS table, c.relkind AS kind, obj_description(c.oid, 'pg_class') AS comment,
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS view_sql,
        CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partition_key,
        CASE WHEN c.relkind = 'p' THEN (SELECT sum(greatest(p.reltuples, 0)) FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid)
          WHEN c.reltuples >= 0 THEN c.reltuples END::float8 AS estimate
      FROM ${FROM} WHERE ${OWN} ORDER BY 1, 2`),
    rows(`
      SELECT n.nspname AS schema, c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
        pg_get_expr(d.adbin, d.adrelid) AS initial, col_description(c.oid, a.attnum) AS comment
      FROM ${FROM} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE ${OWN} ORDER BY 1, 2, a.attnum`),
    rows(`
      SELECT n.nspname AS schema, c.relname AS table, a.attname AS column
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS u(attnum, place) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.attnum
      WHERE k.contype = 'p' AND ${OWN} ORDER BY 1, 2, u.place`),
    rows(`
      SELECT n.nspname AS schema, c.relname AS table, k.conname AS constraint, a.attname AS column, fn.nspname AS to_schema, f.relname AS to_table, fa.attname AS to_column
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
        CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(attnum, fattnum, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.attnum JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = u.fattnum
      WHERE k.contype = 'f' AND k.conparentid = 0 AND ${OWN} ORDER BY 1, 2, 3, u.place`),
    rows(`
      SELECT n.nspname AS schema, c.relname AS table, i.relname AS name, x.indisunique AS unique,
        (SELECT json_agg(pg_get_indexdef(x.indexrelid, k, true) ORDER BY k) FROM generate_series(1, x.indnkeyatts) k)::text AS columns
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE NOT x.indisprimary AND ${OWN} ORDER BY 1, 2, 3`),
  ])
  return {
    tables: tables.map(toTable),
    columns: columns.map((row) => ({
      ...keyOf(row),
      name: String(row['name']),
      type: String(row['type']),
      nullable: row['nullable'] === true,
      default: text(row['initial']),
      comment: text(row['comment']),
    })),
    primaryKeys: primaryKeys.map((row) => ({ ...keyOf(row), column: String(row['column']) })),
    foreignKeys: foreignKeys.map((row) => ({
      ...keyOf(row),
      constraint: String(row['constraint']),
      column: String(row['column']),
      toSchema: String(row['to_schema']),
      toTable: String(row['to_table']),
      toColumn: String(row['to_column']),
    })),
    indexes: indexes.map((row) => ({
      ...keyOf(row),
      name: String(row['name']),
      columns: (JSON.parse(String(row['columns'] ?? '[]')) as string[]).map((column) => column.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"')),
      unique: row['unique'] === true,
    })),
  }
}

const KINDS: Readonly<Record<string, TableRow['kind']>> = { v: 'view', m: 'materialized view', f: 'external' }

function toTable(row: Row): TableRow {
  const estimate = row['estimate']
  return {
    ...keyOf(row),
    kind: KINDS[String(row['kind'])] ?? 'table',
    comment: text(row['comment']),
    viewSql: text(row['view_sql']),
    partitions: row['partition_key'] == null ? [] : [String(row['partition_key'])],
    rows: estimate == null ? undefined : { count: Math.round(Number(estimate)), exact: false },
  }
}

const keyOf = (row: Row): TableKey => ({ schema: String(row['schema']), table: String(row['table']) })
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
