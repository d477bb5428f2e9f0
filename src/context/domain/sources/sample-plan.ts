import type { Column, TableDetails } from '../sql/catalogue.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Cell } from '../sql/query.ts'

/** Way to sample a table: one statement, or one that returns the ends of a key and one that reads between them. */
export interface SamplePlan {
  /** How the rows were chosen, as shown to the reader. */
  readonly how: string
  readonly statement: string | { readonly ends: string; between(low: bigint, high: bigint): string }
  /** Whether the plan returns every row of a small table. */
  readonly isWhole: boolean
  /** Number of leading columns before the requested ones, used to sort and distinguish rows. */
  readonly before: number
}

export interface SampleParts {
  readonly dialect: SqlDialect
  quote(identifier: string): string
}

/** Rows of a sample; enough to show the content of a column. */
export const SAMPLE_ROWS = 200
// This many rows are sorted in well under a second; of larger tables only a part is sorted.
const SORTED_ROWS = 100_000
const PLACES = 40
const ROWS_PER_PLACE = SAMPLE_ROWS / PLACES
// Ten times the rows that are kept, so that a stale estimate does not result in none.
const HASHED_ROWS = SAMPLE_ROWS * 10
const BLOCK_ROWS = SAMPLE_ROWS * 20

/**
 * Methods for getting representative rows of a table, best first. Each returns the same rows for the same data, and
 * none sorts more than a bounded part. The last one is always the engine's first rows.
 */
export function samplePlans(
  table: TableDetails,
  columns: readonly Column[],
  parts: SampleParts,
): readonly SamplePlan[] {
  const { sampling, firstRows } = parts.dialect.spelling
  const names = columns.map(({ name }) => parts.quote(name)).join(', ')
  const from = `${parts.quote(table.schema)}.${parts.quote(table.name)}`
  const first: SamplePlan = {
    how: 'among the first that the database gives',
    statement: firstRows(`SELECT ${names} FROM ${from}`, SAMPLE_ROWS),
    isWhole: true,
    before: 0,
  }
  const order = orderOf(table, columns, parts)
  const spread = (source: string, how: string, isWhole = false): SamplePlan => ({
    how,
    isWhole,
    statement: evenly(names, source, order.terms, parts.dialect),
    before: 0,
  })
  const count = table.rows?.count
  const bounded = `(${firstRows(`SELECT ${names} FROM ${from}`, SORTED_ROWS)}) AS ken_bounded`
  const few = `spread over the first ${SORTED_ROWS.toLocaleString('en-US')} that the database gives`
  if (count === undefined || count <= SORTED_ROWS)
    return [
      table.rows?.exact === true
        ? spread(from, order.how, true)
        : spread(bounded, count === undefined ? few : order.how, true),
      first,
    ]
  const seek = seekPlan(table, names, from, parts)
  const hashed = bucketOf(table, columns, Math.floor(count / HASHED_ROWS), parts)
  return [
    ...(seek === undefined ? [] : [seek]),
    ...(sampling.blocks === undefined || table.kind !== 'table'
      ? []
      : [spread(sampling.blocks(from, percentOf(BLOCK_ROWS, count)), 'from blocks all over the table')]),
    ...(hashed === undefined
      ? []
      : [
          spread(`(SELECT ${names} FROM ${from} WHERE ${hashed.condition}) AS ken_hashed`, `by a hash of ${hashed.of}`),
        ]),
    spread(bounded, few),
    first,
  ]
}

/**
 * Picks one row from each of 200 equal parts of an order, or all rows if there are fewer. The pick depends on the row
 * number, not on its position in the part: otherwise periodic data would repeat one value in every row.
 */
function evenly(names: string, source: string, order: readonly string[], { spelling }: SqlDialect): string {
  const over = `OVER (ORDER BY ${order.join(', ')})`
  const numbered = `SELECT ${names}, ROW_NUMBER() ${over} AS ken_row, NTILE(${SAMPLE_ROWS}) ${over} AS ken_part FROM ${source}`
  const mixed = spelling.remainder('(ken_row * 7919)', '10007')
  const picked = `SELECT ${names}, ken_row, ROW_NUMBER() OVER (PARTITION BY ken_part ORDER BY ${mixed}, ken_row) AS ken_pick FROM (${numbered}) AS ken_numbered`
  return `SELECT ${names} FROM (${picked}) AS ken_picked WHERE ken_pick = 1 ORDER BY ken_row`
}

/** The key if it is visible; otherwise every column, a time first, so that the order never depends on the engine. */
function orderOf(
  table: TableDetails,
  columns: readonly Column[],
  { dialect, quote }: SampleParts,
): { readonly terms: readonly string[]; readonly how: string } {
  const key = shownKey(table, columns)
  if (key.length > 0)
    return {
      terms: key.map(({ name }) => quote(name)),
      how: `spread by ${key.map(({ name }) => name).join(', ')}`,
    }
  const times = columns.filter(({ type }) => isTime(type))
  const others = columns.filter(({ type }) => !isTime(type))
  return {
    terms: [...times, ...others].map(({ name, type }) =>
      isSortable(type) ? quote(name) : dialect.spelling.asText(quote(name), type),
    ),
    how: times.length > 0 ? `spread by ${times[0]!.name}` : 'spread over the table',
  }
}

const shownKey = (table: TableDetails, columns: readonly Column[]): readonly Column[] => {
  const key = table.primaryKey.flatMap((name) => columns.filter((column) => column.name === name))
  return key.length === table.primaryKey.length ? key : []
}

/** Reads a few rows at many places between the lowest and the highest key, each found through the index. */
function seekPlan(
  table: TableDetails,
  names: string,
  from: string,
  { dialect, quote }: SampleParts,
): SamplePlan | undefined {
  const { sampling, firstRows } = dialect.spelling
  if (sampling.seeks !== true || table.kind === 'view') return undefined
  const single = [table.primaryKey, ...table.indexes.filter(({ unique }) => unique).map((index) => index.columns)]
    .filter((one) => one.length === 1)
    .flatMap(([name]) => table.columns.filter((column) => column.name === name && isWhole(column.type)))
  const address = table.kind === 'table' ? sampling.rowAddress : undefined
  const key = single[0] === undefined ? address : quote(single[0].name)
  if (key === undefined) return undefined
  const rows = (order: string, i: number): string =>
    `SELECT * FROM (${firstRows(`SELECT ${key} AS ken_key, ${names} FROM ${from} ${order}`, ROWS_PER_PLACE)}) AS ken_place${i}`
  return {
    how: `from ${PLACES} places between the lowest and the highest ${single[0]?.name ?? 'row'}`,
    isWhole: false,
    before: 1,
    statement: {
      ends: `SELECT MIN(${key}) AS ken_low, MAX(${key}) AS ken_high FROM ${from}`,
      between: (low, high) =>
        [
          ...placesBetween(low, high).map((place, i) => rows(`WHERE ${key} >= ${place} ORDER BY ${key}`, i)),
          rows(`ORDER BY ${key} DESC`, PLACES),
        ].join(' UNION ALL '),
    },
  }
}

/**
 * Half are evenly spaced, the others get closer to both ends, so that an outlier key does not put all of them into one
 * gap.
 */
function placesBetween(low: bigint, high: bigint): readonly bigint[] {
  const width = high - low
  const half = PLACES / 2
  const even = Array.from({ length: half }, (_, i) => low + (width * BigInt(i)) / BigInt(half))
  const near = Array.from({ length: half / 2 }, (_, i) => width >> BigInt(5 * (i + 1)))
  const all = [...even, ...near.flatMap((step) => [low + step, high - step])]
  return [...new Set(all)].toSorted((a, b) => (a < b ? -1 : 1))
}

function bucketOf(
  table: TableDetails,
  columns: readonly Column[],
  buckets: number,
  { dialect, quote }: SampleParts,
): { readonly condition: string; readonly of: string } | undefined {
  const { sampling, asText } = dialect.spelling
  if (sampling.bucket === undefined) return undefined
  const key = shownKey(table, columns)
  if (key.length === 0 && table.kind === 'table' && sampling.rowAddress !== undefined)
    return { condition: sampling.bucket([sampling.rowAddress], buckets), of: 'its place' }
  const hashed = key.length > 0 ? key : columns.filter(({ type }) => isSortable(type)).slice(0, 16)
  if (hashed.length === 0) return undefined
  return {
    condition: sampling.bucket(
      hashed.map(({ name, type }) => `COALESCE(${asText(quote(name), type)}, '')`),
      buckets,
    ),
    of: key.length > 0 ? key.map(({ name }) => name).join(', ') : 'the row',
  }
}

/** Rows of a plan in order, deduplicated, without its leading columns. */
export function sampledRows(
  { before }: Pick<SamplePlan, 'before'>,
  rows: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  if (before === 0) return rows
  const byKey = new Map(rows.map((row) => [BigInt(String(row[0])), row.slice(before)]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const percentOf = (rows: number, count: number): number => Number(Math.min(100, (rows / count) * 100).toPrecision(3))

export const isTime = (type: string): boolean => /^(?:date|datetime|timestamp|smalldatetime)/i.test(type)
const isWhole = (type: string): boolean =>
  /^(?:Nullable\()?(?:u?(?:big|small|tiny|medium)?int(?:eger)?\d*|(?:big|small)?serial)(?:\(\d+\))?(?: unsigned)?\)?$/i.test(
    type,
  )
const isSortable = (type: string): boolean =>
  !/\[\]|^(?:struct|list|map|array|tuple|nested|json|variant|object|row|record|super|geo|point|line|polygon|path|box|circle|hstore|xml|image|n?text$)/i.test(
    type,
  ) &&
  /^(?:Nullable\(|LowCardinality\()*(?:u?(?:big|small|tiny|huge|medium)?int|(?:big|small)?serial|(?:big)?numeric|(?:big)?decimal|number|real|double|float|date|time|smalldate|bool|n?var|n?char|character|string|fixedstring|text|uuid|enum|bit)/i.test(
    type,
  )
