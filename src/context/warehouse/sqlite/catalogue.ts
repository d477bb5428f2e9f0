import { AppError } from '../../../kernel/domain/errors.ts'
import { toCatalogueRows, type Row, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows, RowCount, TableDetails } from '../../domain/sql/catalogue.ts'
import { readTableDdl, type TableDdl } from '../../domain/sql/table-ddl.ts'
import type { Warehouse } from '../../ports/warehouse.ts'

type RunQuery = Warehouse['query']

const ALL = { rows: 5_000_000, bytes: 1 << 30, milliseconds: 60_000 }
const COUNTING_MS = 2_000

// The pragma functions take the table from the row to their left, so that one query covers all tables.
const OWN = `(SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\') t`
const KEY = `'main' AS schema_name, t.name AS table_name`
// A rowid alias is never null, and a key without a separate index is such a column.
const COLUMNS = `SELECT ${KEY}, c.name AS column_name, c.type AS data_type, c.dflt_value AS default_text, c.pk,
    NOT c."notnull" AND NOT (c.pk > 0 AND upper(c.type) = 'INTEGER'
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) l WHERE l.origin = 'pk')) AS nullable
  FROM ${OWN} JOIN pragma_table_xinfo(t.name) c WHERE c.hidden <> 1`

/** Whole catalogue in five queries. */
export async function readCatalogue(query: RunQuery): Promise<CatalogueRows> {
  const rows: RunRows = async (sql) => {
    const { columns, rows } = await query(sql, ALL)
    return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])))
  }
  const tables = await rows(`
    SELECT ${KEY}, t.type AS kind, CASE s.type WHEN 'view' THEN s.sql END AS view_sql,
      CASE t.type WHEN 'table' THEN s.sql END AS ddl
    FROM ${OWN} LEFT JOIN sqlite_schema s ON s.name = t.name AND s.type IN ('view', 'table') ORDER BY t.name`)
  const ddl = new Map(tables.map((row) => [row['table_name'], readTableDdl(String(row['ddl'] ?? ''))]))
  const columns = [
    ...(await rows(`${COLUMNS} AND t.type <> 'view' ORDER BY t.name, c.cid`)),
    ...(await viewColumns(tables, rows)),
  ]
  const primaryKeys = columns.filter((row) => Number(row['pk']) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']))
  const foreignKeys = await rows(`
    SELECT ${KEY}, f.id AS constraint_name, f."from" AS column_name, 'main' AS to_schema, f."table" AS to_table, f."to" AS to_column
    FROM ${OWN} JOIN pragma_foreign_key_list(t.name) f ORDER BY t.name, f.id, f.seq`)
  const indexes = await rows(`
    SELECT ${KEY}, l.name AS index_name, l."unique" AS is_unique, i.name AS column_name
    FROM ${OWN} JOIN pragma_index_list(t.name) l JOIN pragma_index_info(l.name) i WHERE l.origin <> 'pk' ORDER BY t.name, l.name, i.seqno`)
  return toCatalogueRows({
    tables,
    columns: columns.map((row) => withGenerated(row, ddl.get(row['table_name']))),
    primaryKeys,
    foreignKeys: foreignKeys.map((row) => withTarget(row, primaryKeys)),
    indexes,
    checks: tables.flatMap((row) =>
      (ddl.get(row['table_name'])?.checks ?? []).map((expression) => ({ ...row, expression })),
    ),
  })
}

const withGenerated = (row: Row, ddl: TableDdl | undefined): Row => ({
  ...row,
  generated: ddl?.generated.get(String(row['column_name'])),
})

/**
 * A view over a missing table fails the query for all, so then each is queried separately and broken ones have no
 * columns.
 */
async function viewColumns(tables: readonly Row[], rows: RunRows): Promise<readonly Row[]> {
  try {
    return await rows(`${COLUMNS} AND t.type = 'view' ORDER BY t.name, c.cid`)
  } catch {
    const names = tables
      .filter((row) => row['kind'] === 'view')
      .map((row) => `'${String(row['table_name']).replaceAll("'", "''")}'`)
    const found = await Promise.all(
      names.map((name) => rows(`${COLUMNS} AND t.name = ${name} ORDER BY c.cid`).catch(() => [])),
    )
    return found.flat()
  }
}

/** A key without columns refers to the primary key of the other table. */
function withTarget(row: Row, primaryKeys: readonly Row[]): Row {
  if (row['to_column'] !== null) return row
  return { ...row, to_column: primaryKeys.find((key) => key['table_name'] === row['to_table'])?.['column_name'] }
}

/** Full scan, limited to two seconds; a table that takes longer has no count. */
export async function countRows(table: TableDetails, query: RunQuery): Promise<RowCount | undefined> {
  if (table.kind !== 'table') return undefined
  try {
    const counted = await query(`SELECT count(*) FROM "${table.name.replaceAll('"', '""')}"`, {
      rows: 1,
      bytes: 100,
      milliseconds: COUNTING_MS,
    })
    return { count: Number(counted.rows[0]?.[0]), exact: true }
  } catch (error) {
    if (error instanceof AppError && error.details?.['reason'] === 'timeout') return undefined
    throw error
  }
}
