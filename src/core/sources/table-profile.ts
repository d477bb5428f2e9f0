import type { Spelling } from '../sql/dialect.ts'
import type { Cell } from '../sql/query.ts'

export type ColumnKind = 'number' | 'date' | 'boolean' | 'text' | 'nested'

export interface ProfiledColumn {
  readonly name: string
  readonly type: string
  readonly nulls: number
  readonly null_percent: number
  readonly distinct: number
  readonly min?: Cell
  readonly max?: Cell
  readonly mean?: number
  readonly stddev?: number
  readonly top?: readonly { readonly value: string; readonly count: number }[]
}

export interface ProfileSource {
  readonly spelling: Spelling
  /** What to read from: a quoted table, or a sample of one in brackets. */
  readonly from: string
  quote(identifier: string): string
}

export interface Profile {
  readonly rows: number
  readonly columns: readonly ProfiledColumn[]
}

type NamedColumn = { readonly name: string; readonly type: string }

// Every column needs up to six expressions, and PostgreSQL allows 1,664 in one SELECT.
export const COLUMNS_PER_QUERY = 100
const TOP_VALUES = 10
const FEW_VALUES = 50

function kindOf(declared: string): ColumnKind {
  const type = declared.replace(/^(?:(?:Nullable|LowCardinality)\()+/, '')
  if (
    /\[\]|^(?:struct|list|map|array|tuple|nested|json|variant|object|row|record|super|bytea|blob|binary|varbinary|geo|point|polygon|hstore|vector|tsvector|money|xml|bit)/i.test(
      type,
    )
  )
    return 'nested'
  if (
    /^(?:u?(?:big|small|tiny|huge|medium)?int(?:eger)?\d*\b|(?:big|small)?serial|(?:big)?(?:numeric|decimal)|number|real|double|float)/i.test(
      type,
    )
  )
    return 'number'
  if (/^(?:date|datetime|timestamp|smalldatetime)/i.test(type)) return 'date'
  if (/^bool/i.test(type)) return 'boolean'
  return /char|text|string|uuid|enum|clob|varchar/i.test(type) ? 'text' : 'nested'
}

/** One pass over the table: how many rows, and for each column nulls, distinct values and its range. */
export function profileQuery(columns: readonly NamedColumn[], source: ProfileSource): string {
  const parts = columns.flatMap(({ name, type }, i) => {
    const { spelling } = source
    const column = source.quote(name)
    const counted = kindOf(type) === 'nested' ? spelling.asText(column, type) : column
    const range = hasRange(name, type)
      ? [`MIN(${column}) AS ${alias('lo', i)}`, `MAX(${column}) AS ${alias('hi', i)}`]
      : []
    const deviation = spelling.standardDeviation(spelling.asDouble(column))
    const spread = hasSpread(name, type)
      ? [
          `AVG(${spelling.asDouble(column)}) AS ${alias('av', i)}`,
          ...(deviation === undefined ? [] : [`${deviation} AS ${alias('sd', i)}`]),
        ]
      : []
    return [
      `COUNT(${column}) AS ${alias('n', i)}`,
      `COUNT(DISTINCT ${counted}) AS ${alias('d', i)}`,
      ...range,
      ...spread,
    ]
  })
  return `SELECT ${[`COUNT(*) AS ${TOTAL}`, ...parts].join(', ')} FROM ${source.from}`
}

// Where an alias is also the name of a column, ClickHouse and BigQuery take the alias, or neither.
const TOTAL = 'ken_total'
const alias = (fact: string, i: number): string => `ken_${fact}${i}`

/** The row that `profileQuery` gives, by the names of its columns in lower case: Snowflake answers in capitals. */
export function readProfile(columns: readonly NamedColumn[], row: Readonly<Record<string, Cell>>): Profile {
  const total = Number(row[TOTAL] ?? 0)
  const profiled = columns.map(({ name, type }, i) => {
    const nulls = total - Number(row[alias('n', i)] ?? 0)
    const value = (fact: string): Cell | undefined => row[alias(fact, i)] ?? undefined
    return {
      name,
      type,
      nulls,
      null_percent: total === 0 ? 0 : rounded((nulls / total) * 100, 2),
      distinct: Number(row[alias('d', i)] ?? 0),
      ...(value('lo') !== undefined && { min: value('lo')!, max: value('hi')! }),
      ...(value('av') !== undefined && { mean: rounded(Number(value('av')), 4) }),
      ...(value('sd') !== undefined && { stddev: rounded(Number(value('sd')), 4) }),
    }
  })
  return { rows: total, columns: profiled }
}

/** The most frequent values of every column that has few; undefined when none has. */
export function topValuesQuery(profile: readonly ProfiledColumn[], source: ProfileSource): string | undefined {
  const parts = profile.flatMap((column, i) => {
    const kind = kindOf(column.type)
    if ((kind !== 'text' && kind !== 'boolean') || column.distinct === 0 || column.distinct > FEW_VALUES) return []
    const name = source.quote(column.name)
    const value = source.spelling.asText(name, column.type)
    const counted = `SELECT ${i} AS ken_column, ${value} AS ken_value, COUNT(*) AS ken_count FROM ${source.from} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY 3 DESC, 2`
    return [`SELECT * FROM (${source.spelling.firstRows(counted, TOP_VALUES)}) AS ken_top${i}`]
  })
  return parts.length === 0 ? undefined : parts.join(' UNION ALL ')
}

export function withTopValues(
  profile: readonly ProfiledColumn[],
  rows: readonly (readonly Cell[])[],
): readonly ProfiledColumn[] {
  const byColumn = Map.groupBy(rows, (row) => Number(row[0]))
  return profile.map((column, i) => {
    const top = byColumn
      .get(i)
      ?.map((row) => ({ value: String(row[1]), count: Number(row[2]) }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    return top === undefined ? column : { ...column, top }
  })
}

const isKey = (name: string, type: string): boolean => kindOf(type) === 'number' && /(?:^|_)(?:id|key)$/i.test(name)
const hasRange = (name: string, type: string): boolean =>
  kindOf(type) === 'date' || (kindOf(type) === 'number' && !isKey(name, type))
const hasSpread = (name: string, type: string): boolean => kindOf(type) === 'number' && !isKey(name, type)
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
