import { kindOf } from './domain/sources/column-kind.ts'
import { profileScope, sampledFrom } from './domain/sources/profile-scope.ts'
import type { SampledColumn } from './domain/sources/sampled-values.ts'
import {
  COLUMNS_PER_QUERY,
  profileQuery,
  readProfile,
  topValuesQueries,
  withTopValues,
  type Profile,
  type ProfileColumn,
  type ProfiledColumn,
  type ProfileSource,
} from './domain/sources/table-profile.ts'
import type { Cell, QueryResult, TableDetails, Warehouse } from './ports/warehouse.ts'

const LIMITS = { rows: 5_000, bytes: 5_000_000, milliseconds: 120_000 }

/** Known facts about the values of a table. */
export interface TableProfile extends Profile {
  readonly sampled: boolean
  /** The sample is spread over the whole table. */
  readonly spread?: boolean
  /** The limit at which the profile was cut short. */
  readonly limit?: string | null
  readonly failed: readonly string[]
  /** Distinct values of its text columns, by name. */
  readonly values?: ReadonlyMap<string, readonly string[]>
}

/** Facts about the values of every column. Columns that the engine cannot count are listed and left out. */
export async function profileTable(
  table: TableDetails,
  columns: readonly SampledColumn[],
  { warehouse, maxRows }: { readonly warehouse: Warehouse; readonly maxRows: number },
): Promise<TableProfile> {
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
  const profiled = await topValues(columns, found, { source, warehouse })
  const shows = new Map(columns.map((column) => [column.name, column.shows]))
  return {
    rows,
    ...extent,
    // A view whose end is reached before the limit has been read completely.
    sampled: extent.sampled && (table.rows !== undefined || rows >= maxRows),
    values: await readValues(columns, profiled, { source, warehouse }),
    columns: profiled.map((column) => ({
      ...shows.get(column.name),
      ...column,
    })),
    failed,
  }
}

async function topValues(
  columns: readonly ProfileColumn[],
  found: readonly ProfiledColumn[],
  { source, warehouse }: { readonly source: ProfileSource; readonly warehouse: Warehouse },
): Promise<readonly ProfiledColumn[]> {
  const rows: (readonly Cell[])[] = []
  for (const sql of topValuesQueries(columns, found, source))
    rows.push(...((await warehouse.query(sql, LIMITS).catch(() => undefined))?.rows ?? []))
  return withTopValues(found, rows)
}

/**
 * The table or sample to read, whether it is only part of the table, and whether that part is spread over the table.
 */
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
  const sampled = true
  const sample = sampledFrom(whole, scope, dialect)
  const isSpread = scope.of !== undefined && dialect.sampled !== undefined
  // Not every table can be sampled: a SQLite table without row ids cannot.
  if (isSpread && (await isReadable(sample, warehouse))) return { source: from(sample), sampled, spread: true }
  return { source: from(sampledFrom(whole, { ...scope, of: undefined }, dialect)), sampled, spread: false }
}

const isReadable = (from: string, { query, dialect }: Warehouse): Promise<boolean> =>
  query(dialect.spelling.firstRows(`SELECT 1 AS ken_one FROM ${from}`, 1), LIMITS).then(
    ({ rows }) => rows.length > 0,
    () => false,
  )

async function profileColumns(
  columns: readonly ProfileColumn[],
  source: ProfileSource,
  warehouse: Warehouse,
): Promise<Profile> {
  const row = firstRow(await warehouse.query(profileQuery(columns, source), LIMITS))
  return readProfile(columns, row)
}

async function oneByOne(
  columns: readonly ProfileColumn[],
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

const MOST_VALUES = 4_000
const VALUE_LIMITS = { rows: MOST_VALUES, bytes: 2_000_000, milliseconds: 20_000 }

/** Distinct values of each text column, the most frequent ones of many. Skipped by an engine that bills reads. */
async function readValues(
  columns: readonly ProfileColumn[],
  profiled: readonly ProfiledColumn[],
  { source, warehouse }: { readonly source: ProfileSource; readonly warehouse: Warehouse },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const values = new Map<string, readonly string[]>()
  if (warehouse.dialect.billsBytes) return values
  for (const { name, type, format, isJson } of columns) {
    const { distinct = 0, top = [] } = profiled.find((one) => one.name === name) ?? {}
    const isText = kindOf(type) === 'text' && !/uuid/i.test(type) && format === undefined && isJson !== true
    if (!isText || distinct === 0) continue
    if (top.length >= distinct) {
      values.set(
        name,
        top.map(({ value }) => value),
      )
      continue
    }
    const column = source.quote(name)
    const text = source.spelling.asText(column, type)
    const counted = `SELECT ${text} AS ken_value, COUNT(*) AS ken_count FROM ${source.from} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY 2 DESC, 1`
    const found = await warehouse
      .query(source.spelling.firstRows(counted, MOST_VALUES), VALUE_LIMITS)
      .catch(() => undefined)
    if (found !== undefined)
      values.set(
        name,
        found.rows.map(([value]) => String(value)),
      )
  }
  return values
}
