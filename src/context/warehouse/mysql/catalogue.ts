import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import type { PastQuery } from '../../ports/warehouse.ts'

const KEY = 't.TABLE_SCHEMA AS schema_name, t.TABLE_NAME AS table_name'

/** Whole catalogue of one database in five queries. */
export async function readCatalogue(rows: RunRows, database: string): Promise<CatalogueRows> {
  const own = `t.TABLE_SCHEMA = ${literal(database)}`
  const [tables, columns, keys, indexes, checks] = await Promise.all([
    // The TABLE_COMMENT of a view is VIEW, or its error.
    rows(`
      SELECT ${KEY}, t.TABLE_TYPE AS kind, CASE WHEN v.TABLE_NAME IS NULL THEN t.TABLE_COMMENT END AS comment_text,
        v.VIEW_DEFINITION AS view_sql,
        p.partition_key, CASE WHEN v.TABLE_NAME IS NULL THEN t.TABLE_ROWS END AS row_estimate,
        CONVERT_TZ(t.UPDATE_TIME, @@session.time_zone, '+00:00') AS changed_at, CASE WHEN v.TABLE_NAME IS NULL THEN concat_ws(' ', t.DATA_LENGTH, t.UPDATE_TIME) END AS data_mark,
        t.DATA_LENGTH AS byte_estimate
      FROM information_schema.TABLES t
        LEFT JOIN information_schema.VIEWS v ON v.TABLE_SCHEMA = t.TABLE_SCHEMA AND v.TABLE_NAME = t.TABLE_NAME
        LEFT JOIN (SELECT TABLE_SCHEMA, TABLE_NAME, max(concat(PARTITION_METHOD, ' (', coalesce(PARTITION_EXPRESSION, ''),
          ')')) AS partition_key
          FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = ${literal(database)}
            AND PARTITION_NAME IS NOT NULL GROUP BY TABLE_SCHEMA, TABLE_NAME) p
          ON p.TABLE_SCHEMA = t.TABLE_SCHEMA AND p.TABLE_NAME = t.TABLE_NAME
      WHERE ${own} AND t.TABLE_TYPE <> 'SEQUENCE' ORDER BY t.TABLE_NAME`),
    // MariaDB writes the word NULL if there is no default, unlike MySQL.
    rows(`
      SELECT ${KEY}, t.COLUMN_NAME AS column_name, t.COLUMN_TYPE AS data_type, t.IS_NULLABLE AS nullable, nullif(t.COLUMN_DEFAULT,
        'NULL') AS default_text,
        t.COLUMN_COMMENT AS comment_text,
        CASE WHEN t.EXTRA LIKE '%auto_increment%' THEN 'identity' ELSE nullif(t.GENERATION_EXPRESSION, '') END AS generated
      FROM information_schema.COLUMNS t WHERE ${own} ORDER BY t.TABLE_NAME, t.ORDINAL_POSITION`),
    rows(`
      SELECT ${KEY}, t.CONSTRAINT_NAME AS constraint_name, t.COLUMN_NAME AS column_name, t.REFERENCED_TABLE_SCHEMA AS to_schema,
        t.REFERENCED_TABLE_NAME AS to_table, t.REFERENCED_COLUMN_NAME AS to_column
      FROM information_schema.KEY_COLUMN_USAGE t WHERE ${own} AND (t.CONSTRAINT_NAME = 'PRIMARY' OR t.REFERENCED_TABLE_NAME IS NOT NULL)
      ORDER BY t.TABLE_NAME, t.CONSTRAINT_NAME, t.ORDINAL_POSITION`),
    rows(`
      SELECT ${KEY}, t.INDEX_NAME AS index_name, t.NON_UNIQUE = 0 AS is_unique, t.COLUMN_NAME AS column_name
      FROM information_schema.STATISTICS t WHERE ${own} AND t.INDEX_NAME <> 'PRIMARY' ORDER BY t.TABLE_NAME, t.INDEX_NAME, t.SEQ_IN_INDEX`),
    readChecks(rows, own),
  ])
  return toCatalogueRows({
    tables,
    columns,
    primaryKeys: keys.filter((row) => row['constraint_name'] === 'PRIMARY'),
    foreignKeys: keys.filter((row) => row['constraint_name'] !== 'PRIMARY'),
    indexes,
    checks,
  })
}

/**
 * MariaDB reports the table of a CHECK; in MySQL the name of a CHECK is unique in a database; older servers have none.
 */
async function readChecks(rows: RunRows, own: string): Promise<readonly Row[]> {
  const checks = `SELECT ${KEY}, c.CHECK_CLAUSE AS expression FROM information_schema.CHECK_CONSTRAINTS c
    JOIN (SELECT DISTINCT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS
      WHERE CONSTRAINT_TYPE = 'CHECK') t ON t.TABLE_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME`
  const order = `WHERE ${own} ORDER BY t.TABLE_NAME, c.CONSTRAINT_NAME`
  return rows(`${checks} AND t.TABLE_NAME = c.TABLE_NAME ${order}`)
    .catch(() => rows(`${checks} ${order}`))
    .catch(() => [])
}

/**
 * Write counters since the server started, because table times only have seconds. MySQL's `Handler_*` counters include
 * writes to its own tables, so `Innodb_rows_*` is used instead; MariaDB has only `Handler_*`, without those writes.
 */
export async function readWholeMark(rows: RunRows): Promise<string> {
  const found = await rows(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_truncate', 'Innodb_rows_inserted', 'Innodb_rows_updated', 'Innodb_rows_deleted', 'Handler_write', 'Handler_update', 'Handler_delete')",
  )
  const counts = found.map((row) => `${String(row['Variable_name'])} ${String(row['Value'])}`).toSorted()
  const hasRows = counts.some((count) => count.startsWith('Innodb_rows_'))
  return counts.filter((count) => !(hasRows && count.startsWith('Handler_'))).join(' ')
}

/** Stored functions, in lower case: on a server that lacks a built-in, one may have its name. */
export async function readOwnFunctions(rows: RunRows): Promise<readonly string[]> {
  const found = await rows(
    "SELECT lower(ROUTINE_NAME) AS name FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'",
  )
  return found.map((row) => String(row['name']))
}

/** From the performance schema, if it is on and readable. */
export async function readHistory(rows: RunRows, database: string, limit: number): Promise<readonly PastQuery[]> {
  try {
    const found = await rows(`
      SELECT DIGEST_TEXT AS sql_text, COUNT_STAR AS times, LAST_SEEN AS seen FROM performance_schema.events_statements_summary_by_digest
      WHERE SCHEMA_NAME = ${literal(database)} AND (DIGEST_TEXT LIKE 'SELECT%' OR DIGEST_TEXT LIKE 'WITH%')
        AND DIGEST_TEXT LIKE '%FROM%' AND DIGEST_TEXT NOT LIKE '%information_schema%'
      ORDER BY COUNT_STAR DESC LIMIT ${Math.trunc(limit)}`)
    return found.map((row) => ({
      sql: String(row['sql_text']),
      times: Number(row['times']),
      lastSeen: String(row['seen']),
    }))
  } catch {
    return []
  }
}

const literal = (value: string): string => `'${value.replaceAll(/['\\]/g, (char) => `\\${char}`)}'`
