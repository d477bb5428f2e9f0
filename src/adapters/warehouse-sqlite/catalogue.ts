import { AppError } from '../../core/errors.ts'
import type { CatalogueRows, RowCount, TableDetails, TableKey } from '../../core/sql/catalogue.ts'
import type { Cell } from '../../ports/warehouse.ts'
import type { RunQuery } from './process-pool.ts'

const SCHEMA = 'main'
const ALL = { rows: 5_000_000, bytes: 1 << 30, milliseconds: 60_000 }
const COUNTING_MS = 2_000

// The pragma functions take the table from the row to their left, so that one query covers all tables.
const OWN = `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
const COLUMNS = 't.name, c.name, c.type, c."notnull", c.dflt_value, c.pk'

/** The whole catalogue in six queries. */
export async function readCatalogue(query: RunQuery): Promise<CatalogueRows> {
  const rows = async (sql: string): Promise<readonly (readonly Cell[])[]> => (await query(sql, ALL)).rows
  const tables = await rows(`SELECT t.name, t.type, s.sql FROM (${OWN}) t LEFT JOIN sqlite_schema s ON s.name = t.name AND s.type = 'view' ORDER BY t.name`)
  const columns = [
    ...(await rows(`SELECT ${COLUMNS} FROM (${OWN}) t JOIN pragma_table_xinfo(t.name) c WHERE t.type <> 'view' AND c.hidden <> 1 ORDER BY t.name, c.cid`)),
    ...(await viewColumns(tables, rows)),
  ]
  const keys = await rows(`SELECT t.name, f.id, f."from", f."table", f."to" FROM (${OWN}) t JOIN pragma_foreign_key_list(t.name) f ORDER BY t.name, f.id, f.seq`)
  const indexes = await rows(`
    SELECT t.name, l.name, l."unique", json_group_array(i.name ORDER BY i.seqno) FROM (${OWN}) t JOIN pragma_index_list(t.name) l JOIN pragma_index_info(l.name) i
    WHERE l.origin <> 'pk' GROUP BY t.name, l.name, l."unique" ORDER BY t.name, l.name`)
  const primaryKeys = columns
    .filter((row) => Number(row[5]) > 0)
    .sort((a, b) => Number(a[5]) - Number(b[5]))
    .map((row) => ({ ...keyOf(row), column: String(row[1]) }))
  return {
    tables: tables.map((row) => ({
      ...keyOf(row),
      kind: row[1] === 'view' ? 'view' : 'table',
      comment: undefined,
      viewSql: row[2] === null ? undefined : String(row[2]),
      partitions: [],
      rows: undefined,
    })),
    columns: columns.map((row) => ({
      ...keyOf(row),
      name: String(row[1]),
      type: String(row[2] ?? ''),
      nullable: row[3] === 0,
      default: row[4] === null ? undefined : String(row[4]),
      comment: undefined,
    })),
    primaryKeys,
    foreignKeys: keys.map((row) => ({
      ...keyOf(row),
      constraint: String(row[1]),
      column: String(row[2]),
      toSchema: SCHEMA,
      toTable: String(row[3]),
      // A key that names no column means the primary key of the other table.
      toColumn: String(row[4] ?? primaryKeys.find((key) => key.table === row[3])?.column ?? ''),
    })),
    indexes: indexes.map((row) => ({
      ...keyOf(row),
      name: String(row[1]),
      columns: (JSON.parse(String(row[3])) as (string | null)[]).map((name) => name ?? '(expression)'),
      unique: row[2] === 1,
    })),
  }
}

/** A view over a table that is gone fails the query for all, so then each is asked alone and the broken ones have no columns. */
async function viewColumns(tables: readonly (readonly Cell[])[], rows: (sql: string) => Promise<readonly (readonly Cell[])[]>): Promise<readonly (readonly Cell[])[]> {
  const all = `SELECT ${COLUMNS} FROM (${OWN}) t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'view'`
  try {
    return await rows(`${all} ORDER BY t.name, c.cid`)
  } catch {
    const views = tables.filter((row) => row[1] === 'view').map((row) => `'${String(row[0]).replaceAll("'", "''")}'`)
    const found = await Promise.all(views.map((name) => rows(`${all} AND t.name = ${name} ORDER BY c.cid`).catch(() => [])))
    return found.flat()
  }
}

/** A full scan, so it gets two seconds; a table that takes longer has no count. */
export async function countRows(table: TableDetails, query: RunQuery): Promise<RowCount | undefined> {
  if (table.kind !== 'table') return undefined
  try {
    const counted = await query(`SELECT count(*) FROM "${table.name.replaceAll('"', '""')}"`, { rows: 1, bytes: 100, milliseconds: COUNTING_MS })
    return { count: Number(counted.rows[0]?.[0]), exact: true }
  } catch (error) {
    if (error instanceof AppError && error.details?.['reason'] === 'timeout') return undefined
    throw error
  }
}

const keyOf = (row: readonly Cell[]): TableKey => ({ schema: SCHEMA, table: String(row[0]) })
