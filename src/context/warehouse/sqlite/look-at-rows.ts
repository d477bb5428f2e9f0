import type { TableDetails } from '../../domain/sql/catalogue.ts'
import type { QueryLimits, Warehouse } from '../../ports/warehouse.ts'
import { countRows } from './catalogue.ts'

interface RowReader {
  readonly query: Warehouse['query']
  /** Hash of all rows of a query. */
  hash(sql: string, limits: QueryLimits): Promise<string>
}

// Hashing this many takes about a second.
const MOST_CELLS = 2_000_000
const LOOKING = { rows: 1, bytes: 1_000, milliseconds: 10_000 }

/**
 * Few rows: a hash of the rows themselves. Many rows: their number and the last one, so an update shows only when the
 * table is read again for its age.
 */
export async function lookAtRows(
  table: TableDetails,
  columns: readonly string[],
  { query, hash }: RowReader,
): Promise<string | undefined> {
  const from = quote(table.name)
  const most = Math.ceil(MOST_CELLS / Math.max(1, columns.length))
  const first = async (sql: string): Promise<unknown> => (await query(sql, LOOKING)).rows[0]?.[0]
  try {
    const found = Number(await first(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${most})`))
    if (found < most)
      return `rows ${found} ${await hash(`SELECT ${columns.map(quote).join(', ') || 'NULL'} FROM ${from}`, LOOKING)}`
    // A table without row ids has no cheap last row.
    const last = await first(`SELECT max(rowid) FROM ${from}`).catch(() => '')
    return `last ${(await countRows(table, query))?.count ?? ''} ${String(last)}`
  } catch {
    // For example, a virtual table without its module.
    return undefined
  }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
