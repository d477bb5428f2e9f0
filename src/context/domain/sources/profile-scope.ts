import type { TableDetails } from '../sql/catalogue.ts'
import type { SqlDialect } from '../sql/dialect.ts'

/** Number of rows to read; `of` is the total, if the table can be sampled. */
export interface SampleScope {
  readonly rows: number
  readonly of: number | undefined
}

// Counting distinct values of this many cells takes a local engine about ten seconds.
const MOST_CELLS = 50_000_000
const FEWEST_ROWS = 10_000

/**
 * Returns how much of a table is profiled: all of it, unless it has too many rows in total or for its number of
 * columns. A view may be any query, so it is never read to its end.
 */
export function profileScope(
  { kind, rows }: Pick<TableDetails, 'kind' | 'rows'>,
  { columns, maxRows }: { readonly columns: number; readonly maxRows: number },
): SampleScope | 'all' {
  if (rows === undefined) return { rows: maxRows, of: undefined }
  const most = Math.min(maxRows, Math.max(FEWEST_ROWS, Math.floor(MOST_CELLS / Math.max(1, columns))))
  return rows.count <= most ? 'all' : { rows: most, of: kind === 'table' ? rows.count : undefined }
}

/** Sample to profile for a table that is too large to read in full. */
export function sampledFrom(
  table: string,
  { rows, of }: SampleScope,
  { spelling, sampled }: Pick<SqlDialect, 'spelling' | 'sampled'>,
): string {
  const from = of === undefined ? table : (sampled?.(table, rows, of) ?? table)
  return `(${spelling.firstRows(`SELECT * FROM ${from}`, rows)}) AS ken_sample`
}
