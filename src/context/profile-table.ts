import {
  COLUMNS_PER_QUERY,
  profileQuery,
  readProfile,
  sampleOf,
  topValuesQuery,
  withTopValues,
  type Profile,
  type ProfiledColumn,
  type ProfileSource,
} from '../core/sources/table-profile.ts'
import type { Cell, Column, QueryResult, TableDetails, Warehouse } from '../ports/warehouse.ts'

const SHOWN_VALUES = 10
const LIMITS = { rows: 5_000, bytes: 5_000_000, milliseconds: 120_000 }

export interface TableProfile {
  /** Rows that were looked at. */
  readonly rows: number
  readonly sampled: boolean
  readonly columns: readonly ProfiledColumn[]
  /** The most frequent values, for the document of that. */
  readonly tops: readonly ProfiledColumn[]
  readonly failed: readonly string[]
}

/** Facts about the values of every column. A column that the engine cannot count is named and left out. */
export async function profileTable(
  table: TableDetails,
  columns: readonly Column[],
  {
    warehouse,
    maxRows,
    withheld,
  }: { readonly warehouse: Warehouse; readonly maxRows: number; readonly withheld: ReadonlySet<string> },
): Promise<TableProfile> {
  const whole = `${warehouse.quote(table.schema)}.${warehouse.quote(table.name)}`
  // A view may be any query, so it is never read to its end.
  const sampled = table.rows === undefined || table.rows.count > maxRows
  const source: ProfileSource = {
    spelling: warehouse.dialect.spelling,
    from: sampled ? sampleOf(whole, maxRows, warehouse.dialect.spelling) : whole,
    quote: (name) => warehouse.quote(name),
  }
  const found: ProfiledColumn[] = []
  const failed: string[] = []
  let rows = 0
  for (let at = 0; at < columns.length; at += COLUMNS_PER_QUERY) {
    const part = columns.slice(at, at + COLUMNS_PER_QUERY)
    const first = await profileColumns(part, source, warehouse).catch(() => undefined)
    const results = first === undefined ? await oneByOne(part, source, warehouse) : [first]
    rows = Math.max(rows, ...results.map((result) => result.rows))
    found.push(...results.flatMap((result) => result.columns))
    failed.push(
      ...part
        .filter(({ name }) => !results.some((result) => result.columns.some((column) => column.name === name)))
        .map(({ name }) => name),
    )
  }
  const tops = topValuesQuery(found, source)
  const values = tops === undefined ? undefined : await warehouse.query(tops, LIMITS).catch(() => undefined)
  const all = values === undefined ? found : withTopValues(found, values.rows)
  const profiled = all.map(({ top, ...column }) =>
    top === undefined || withheld.has(column.name) ? column : { ...column, top },
  )
  return {
    rows,
    sampled: sampled && table.rows !== undefined,
    columns: profiled,
    tops: profiled.flatMap((column) =>
      'top' in column ? [{ ...column, top: column.top.slice(0, SHOWN_VALUES) }] : [],
    ),
    failed,
  }
}

async function profileColumns(
  columns: readonly Column[],
  source: ProfileSource,
  warehouse: Warehouse,
): Promise<Profile> {
  const row = firstRow(await warehouse.query(profileQuery(columns, source), LIMITS))
  return readProfile(columns, row)
}

async function oneByOne(
  columns: readonly Column[],
  source: ProfileSource,
  warehouse: Warehouse,
): Promise<readonly Profile[]> {
  const results: Profile[] = []
  for (const column of columns) {
    const result = await profileColumns([column], source, warehouse).catch(() => undefined)
    if (result !== undefined) results.push(result)
  }
  return results
}

const firstRow = ({ columns, rows }: QueryResult): Readonly<Record<string, Cell>> =>
  Object.fromEntries(columns.map(({ name }, i) => [name.toLowerCase(), rows[0]?.[i] ?? null]))
