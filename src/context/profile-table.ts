import { profileScope, sampledFrom } from '../core/sources/profile-scope.ts'
import {
  COLUMNS_PER_QUERY,
  profileQuery,
  readProfile,
  topValuesQuery,
  withTopValues,
  type Profile,
  type ProfiledColumn,
  type ProfileSource,
} from '../core/sources/table-profile.ts'
import type { Cell, Column, QueryResult, TableDetails, Warehouse } from '../ports/warehouse.ts'

const LIMITS = { rows: 5_000, bytes: 5_000_000, milliseconds: 120_000 }

/** Facts about the values of every column. A column that the engine cannot count is named and left out. */
export async function profileTable(
  table: TableDetails,
  columns: readonly Column[],
  {
    warehouse,
    maxRows,
    withheld,
  }: { readonly warehouse: Warehouse; readonly maxRows: number; readonly withheld: ReadonlySet<string> },
): Promise<Readonly<Record<string, unknown>>> {
  const { source, ...extent } = await chooseSource(table, columns.length, { warehouse, maxRows })
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
    ...extent,
    columns: profiled,
    tops: profiled.filter((column) => 'top' in column),
    failed,
  }
}

/** What to read, and whether that is a part, and one from all over the table. */
async function chooseSource(
  table: TableDetails,
  columns: number,
  { warehouse, maxRows }: { readonly warehouse: Warehouse; readonly maxRows: number },
): Promise<{ source: ProfileSource; sampled: boolean; spread: boolean }> {
  const whole = `${warehouse.quote(table.schema)}.${warehouse.quote(table.name)}`
  const { dialect } = warehouse
  const from = (text: string): ProfileSource => ({
    spelling: dialect.spelling,
    from: text,
    quote: (name) => warehouse.quote(name),
  })
  const scope = profileScope(table, { columns, maxRows })
  if (scope === 'all') return { source: from(whole), sampled: false, spread: false }
  const sampled = table.rows !== undefined
  const sample = sampledFrom(whole, scope, dialect)
  const isSpread = scope.of !== undefined && dialect.sampled !== undefined
  // Not every table can be sampled: in SQLite one without row ids cannot.
  if (isSpread && (await isReadable(sample, warehouse))) return { source: from(sample), sampled, spread: true }
  return { source: from(sampledFrom(whole, { ...scope, of: undefined }, dialect)), sampled, spread: false }
}

const isReadable = (from: string, { query, dialect }: Warehouse): Promise<boolean> =>
  query(dialect.spelling.firstRows(`SELECT 1 AS ken_one FROM ${from}`, 1), LIMITS).then(
    ({ rows }) => rows.length > 0,
    () => false,
  )

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
