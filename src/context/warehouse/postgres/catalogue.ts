import { toCatalogueRows, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import { SYNC_COMMENT, type PastQuery } from '../../domain/sql/query.ts'
import type { NameRules } from '../../domain/sql/statement.ts'
import { DECLARE } from './query.ts'

const KEY = 'n.nspname AS schema_name, c.relname AS table_name'
const FROM = 'pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace'

// A partition belongs to its parent; extension objects and unreadable tables are not listed.
const OWN = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> 'information_schema'
  AND n.nspname !~ '^pg_' AND has_any_column_privilege(c.oid, 'SELECT')
  AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')`

/** Whole catalogue in six queries. */
export async function readCatalogue(rows: RunRows): Promise<CatalogueRows> {
  const [tables, columns, primaryKeys, foreignKeys, indexes, checks] = await Promise.all(
    [TABLES, COLUMNS, PRIMARY_KEYS, FOREIGN_KEYS, INDEXES, CHECKS].map(rows),
  )
  return toCatalogueRows({
    tables: tables!,
    columns: columns!,
    primaryKeys: primaryKeys!,
    foreignKeys: foreignKeys!,
    indexes: indexes!,
    checks: checks!,
  })
}

// Avoids functions that open every table, such as pg_relation_size: it would wait for any ALTER TABLE in progress.
const WRITTEN = (oid: string): string =>
  `pg_stat_get_tuples_inserted(${oid}) + pg_stat_get_tuples_updated(${oid}) + pg_stat_get_tuples_deleted(${oid})`

// A partitioned table has no pages itself, and reports -1 if it was analysed.
const SIZE = (table: string): string =>
  `greatest(${table}.relpages::int8 * 8192, pg_stat_get_live_tuples(${table}.oid) * 64, 0)`

const TABLES = `
  SELECT ${KEY}, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign' ELSE 'table' END AS kind,
    obj_description(c.oid, 'pg_class') AS comment_text,
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS view_sql,
    CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partition_key,
    CASE WHEN c.relkind IN ('v', 'f') THEN NULL
      WHEN c.relkind = 'p' THEN (SELECT sum(greatest(p.reltuples, 0)) FROM pg_inherits i JOIN pg_class p
        ON p.oid = i.inhrelid WHERE i.inhparent = c.oid)
      ELSE c.reltuples END::float8 AS row_estimate,
    CASE WHEN c.relkind IN ('r', 'm') THEN concat_ws(' ', c.relfilenode, ${WRITTEN('c.oid')})
      WHEN c.relkind = 'p' THEN (SELECT concat_ws(' ', sum(s.relfilenode::int8), sum(${WRITTEN('s.oid')}))
        FROM pg_partition_tree(c.oid) t JOIN pg_class s ON s.oid = t.relid) END AS data_mark,
    CASE WHEN c.relkind IN ('r', 'm') THEN ${SIZE('c')} WHEN c.relkind = 'p' THEN (SELECT sum(${SIZE('s')})
      FROM pg_partition_tree(c.oid) t JOIN pg_class s ON s.oid = t.relid)::int8 END AS byte_estimate
  FROM ${FROM} WHERE ${OWN} ORDER BY 1, 2`

// A domain may be based on a domain and an array on an enum; `base` is the final type.
const COLUMNS = `
  WITH RECURSIVE named(oid, base, typmod) AS (
    SELECT t.oid, t.oid, -1 FROM pg_type t WHERE t.typtype IN ('d', 'e') OR t.typelem IN (SELECT oid FROM pg_type WHERE typtype IN ('d', 'e'))
    UNION ALL
    SELECT n.oid, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END, CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE -1 END
    FROM named n JOIN pg_type t ON t.oid = n.base WHERE t.typtype = 'd' OR (t.typcategory = 'A' AND t.typelem <> 0)
  ), labels AS (
    SELECT n.oid, json_agg(e.enumlabel ORDER BY e.enumsortorder)::text AS list
    FROM named n JOIN pg_enum e ON e.enumtypid = n.base GROUP BY n.oid
  ), bases AS (
    SELECT DISTINCT ON (n.oid) n.oid, CASE WHEN b.typtype = 'e' THEN 'enum' ELSE format_type(n.base, n.typmod) END AS name
    FROM named n JOIN pg_type b ON b.oid = n.base JOIN pg_type t ON t.oid = n.oid
    WHERE t.typtype IN ('d', 'e') AND b.typtype <> 'd' ORDER BY n.oid, b.typcategory = 'A' DESC
  )
  SELECT ${KEY}, a.attname AS column_name, format_type(a.atttypid, a.atttypmod) AS data_type,
    NOT (a.attnotnull OR coalesce(t.typnotnull, false)) AS nullable,
    CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default_text,
    col_description(c.oid, a.attnum) AS comment_text, bases.name AS base_type, labels.list AS labels,
    CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN pg_get_expr(d.adbin, d.adrelid) END AS generated
  FROM ${FROM} JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN bases ON bases.oid = a.atttypid LEFT JOIN labels ON labels.oid = a.atttypid
  WHERE ${OWN} ORDER BY 1, 2, a.attnum`

// The checks of a domain apply to each of its columns, which they call VALUE.
const CHECKS = `
  WITH RECURSIVE domains(oid, base) AS (
    SELECT t.oid, t.oid FROM pg_type t WHERE t.typtype = 'd'
    UNION ALL SELECT d.oid, t.typbasetype FROM domains d JOIN pg_type t ON t.oid = d.base AND t.typtype = 'd'
  )
  SELECT ${KEY}, pg_get_expr(k.conbin, k.conrelid) AS expression, k.conname AS constraint_name, NULL AS value_name
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype = 'c' AND ${OWN}
  UNION ALL
  SELECT ${KEY}, pg_get_expr(k.conbin, 0), k.conname, a.attname
  FROM pg_constraint k JOIN domains d ON d.base = k.contypid JOIN pg_attribute a ON a.atttypid = d.oid AND NOT a.attisdropped
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype = 'c' AND ${OWN} ORDER BY 1, 2, 5, 4, 3`

const PRIMARY_KEYS = `
  SELECT ${KEY}, a.attname AS column_name
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS u(attnum, place) JOIN pg_attribute a ON a.attrelid = c.oid
      AND a.attnum = u.attnum
  WHERE k.contype = 'p' AND ${OWN} ORDER BY 1, 2, u.place`

const FOREIGN_KEYS = `
  SELECT ${KEY}, k.conname AS constraint_name, a.attname AS column_name, fn.nspname AS to_schema, f.relname AS to_table,
    fa.attname AS to_column
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(attnum, fattnum, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.attnum JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = u.fattnum
  WHERE k.contype = 'f' AND k.conparentid = 0 AND ${OWN} ORDER BY 1, 2, 3, u.place`

const INDEXES = `
  SELECT ${KEY}, i.relname AS index_name, x.indisunique AND x.indpred IS NULL AS is_unique,
    coalesce(a.attname, pg_get_indexdef(x.indexrelid, k.place, true)) AS column_name
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n
    ON n.oid = c.relnamespace
    CROSS JOIN LATERAL generate_series(1, x.indnkeyatts) AS k(place)
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[k.place - 1] AND a.attnum > 0
  WHERE NOT x.indisprimary AND ${OWN} ORDER BY 1, 2, 3, k.place`

/**
 * Functions from neither the server nor an extension, as spelled: the server prefers one of them to a built-in that
 * fits less well. And the tables, because their rows are types.
 */
export async function readOwnNames(rows: RunRows): Promise<Required<Pick<NameRules, 'ownFunctions' | 'rowTypes'>>> {
  const found = await rows(`
    SELECT DISTINCT 'function' AS kind, p.proname AS name FROM pg_catalog.pg_proc p
    WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION SELECT 'table', c.relname FROM pg_catalog.pg_class c WHERE c.reltype <> 0 AND c.relkind <> 'c'`)
  const named = (kind: string): readonly string[] =>
    found.filter((row) => row['kind'] === kind).map((row) => String(row['name']))
  return { ownFunctions: named('function'), rowTypes: named('table') }
}

/** From pg_stat_statements, if that extension is installed and readable. It keeps no time per statement. */
export async function readHistory(rows: RunRows, limit: number): Promise<readonly PastQuery[]> {
  const [extension] = await rows(`
    SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n
      ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`)
  if (!extension) return []
  try {
    const found = await rows(`
      SELECT q.query, sum(q.calls)::float8 AS calls
      FROM (SELECT replace(s.query, '${DECLARE}', '') AS query, s.calls FROM ${String(extension['schema'])}.pg_stat_statements s
        JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database()) q
      WHERE q.query ~* '^\\s*(select|with)\\M.*\\mfrom\\M' AND strpos(q.query, '${SYNC_COMMENT}') = 0
        AND q.query !~* '\\mpg_(catalog|class|stat_statements|namespace|type)\\M'
      GROUP BY q.query ORDER BY 2 DESC, 1 LIMIT ${Math.trunc(limit)}`)
    return found.map((row) => ({ sql: String(row['query']), times: Number(row['calls']), lastSeen: undefined }))
  } catch {
    // The extension exists, but its library is not loaded or the role may not read it.
    return []
  }
}
