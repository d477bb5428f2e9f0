import type { Spelling } from '../sql/dialect.ts'
import type { Cell } from '../sql/query.ts'
import { isDecimal, isFreeText, kindOf } from './column-kind.ts'
import type { DateFormat } from './date-format.ts'

export interface TopValue {
  readonly value: string
  readonly count: number
}

/** Known facts about the values of one column. */
export interface ProfiledColumn {
  readonly name: string
  readonly type: string
  readonly nulls: number
  readonly null_percent: number
  readonly distinct: number
  /** Number of empty strings. */
  readonly empty?: number
  readonly min?: Cell
  readonly max?: Cell
  readonly mean?: number
  readonly stddev?: number
  /** Most frequent first; complete if there are as many as `distinct`. */
  readonly top?: readonly TopValue[]
  /** Format of dates stored in a type other than a date, and how many values match it. */
  readonly format?: string
  readonly formatted?: number
  /** First and last day, regardless of the form of `min` and `max`. */
  readonly days?: readonly [string, string]
  /** Common shape of the values, from the sample. */
  readonly pattern?: string
  readonly shape?: string
  /** Like `shape`, without values. */
  readonly keys?: string
  readonly examples?: readonly string[]
  readonly placeholders?: readonly string[]
}

export interface ProfileSource {
  readonly spelling: Spelling
  /** Quoted table, or a sample of one in brackets. */
  readonly from: string
  quote(identifier: string): string
}

export interface Profile {
  readonly rows: number
  readonly columns: readonly ProfiledColumn[]
}

export interface ProfileColumn {
  readonly name: string
  /** Actual type of its values, which a domain or an untyped column does not declare. */
  readonly type: string
  /** Number that only identifies a row of this or another table. */
  readonly isKey: boolean
  readonly format?: DateFormat | undefined
  /** Whether its texts are JSON, which may spell the same value differently. */
  readonly isJson?: boolean
}

// Every column needs up to eight expressions, and PostgreSQL allows 1,664 in one SELECT.
export const COLUMNS_PER_QUERY = 100
const TOP_VALUES = 30
const FEW_VALUES = 50
const FEW_NUMBERS = 20
// SQLite joins at most 500 SELECTs, and a statement of a hundred is slow in every planner.
const TOPS_PER_QUERY = 40

/** One pass over the table: row count, and for each column nulls, distinct values and range. */
export function profileQuery(columns: readonly ProfileColumn[], source: ProfileSource): string {
  const parts = columns.flatMap((given, i) => {
    const { name, type } = given
    const { spelling } = source
    const column = source.quote(name)
    const counted = kindOf(type) === 'nested' ? spelling.asText(column, type) : column
    const deviation = spelling.standardDeviation(spelling.asDouble(column))
    const spread = hasSpread(given)
      ? [
          `AVG(${spelling.asDouble(column)}) AS ${alias('av', i)}`,
          ...(deviation === undefined ? [] : [`${deviation} AS ${alias('sd', i)}`]),
        ]
      : []
    return [
      `COUNT(${column}) AS ${alias('n', i)}`,
      `COUNT(DISTINCT ${counted}) AS ${alias('d', i)}`,
      ...(isFreeText(type) ? [`COUNT(CASE WHEN ${column} = '' THEN 1 END) AS ${alias('e', i)}`] : []),
      ...rangeParts(given, column, source).map(([fact, sql]) => `${sql} AS ${alias(fact, i)}`),
      ...spread,
    ]
  })
  return `SELECT ${[`COUNT(*) AS ${TOTAL}`, ...parts].join(', ')} FROM ${source.from}`
}

function rangeParts(
  { type, isKey, format }: ProfileColumn,
  column: string,
  { spelling }: ProfileSource,
): readonly (readonly [string, string])[] {
  if (format !== undefined) {
    const [key, matches] = [format.sortKey(column), format.matches(column)]
    if (key === undefined) return []
    const value = matches === undefined ? key : `CASE WHEN ${matches} THEN ${key} END`
    return [
      ['lo', `MIN(${value})`],
      ['hi', `MAX(${value})`],
      ...(matches === undefined ? [] : [['f', `COUNT(CASE WHEN ${matches} THEN 1 END)`] as const]),
    ]
  }
  const kind = kindOf(type)
  if (kind !== 'date' && (kind !== 'number' || isKey)) return []
  // A driver turns 37.00 into 37; the engine's text keeps the stored digits.
  const shown = (sql: string): string => (isDecimal(type) ? spelling.asText(sql, type) : sql)
  return [
    ['lo', shown(`MIN(${column})`)],
    ['hi', shown(`MAX(${column})`)],
  ]
}

// If an alias is also a column name, ClickHouse and BigQuery use the alias, or neither.
const TOTAL = 'ken_total'
const alias = (fact: string, i: number): string => `ken_${fact}${i}`

/** Reads the row of `profileQuery` by lower-case column names, because Snowflake returns capitals. */
export function readProfile(columns: readonly ProfileColumn[], row: Readonly<Record<string, Cell>>): Profile {
  const total = Number(row[TOTAL] ?? 0)
  const profiled = columns.map(({ name, type, format }, i) => {
    const nulls = total - Number(row[alias('n', i)] ?? 0)
    const value = (fact: string): Cell | undefined => row[alias(fact, i)] ?? undefined
    return {
      name,
      type,
      nulls,
      null_percent: total === 0 ? 0 : rounded((nulls / total) * 100, 2),
      distinct: Number(row[alias('d', i)] ?? 0),
      ...(value('e') !== undefined && { empty: Number(value('e')) }),
      ...(value('lo') !== undefined && rangeOf(value('lo')!, value('hi')!, format)),
      ...(format !== undefined && { format: format.name }),
      ...(value('f') !== undefined && { formatted: Number(value('f')) }),
      ...(value('av') !== undefined && { mean: rounded(Number(value('av')), 4) }),
      ...(value('sd') !== undefined && { stddev: rounded(Number(value('sd')), 4) }),
    }
  })
  return { rows: total, columns: profiled }
}

/** `min`, `max` and `days` of a column from its first and last value. */
export function rangeOf(
  low: Cell,
  high: Cell,
  format: DateFormat | undefined,
): Pick<ProfiledColumn, 'min' | 'max' | 'days'> {
  const day = (value: Cell): string | undefined =>
    format === undefined ? /^-?\d{4,}-\d\d-\d\d/.exec(String(value))?.[0] : format.day(value)
  const [first, last] = [day(low), day(high)]
  return {
    min: format?.stored(low) ?? low,
    max: format?.stored(high) ?? high,
    ...(first !== undefined && last !== undefined && { days: [first, last] }),
  }
}

/** Statements for the most frequent values of every column that has few distinct values. */
export function topValuesQueries(
  columns: readonly ProfileColumn[],
  profile: readonly ProfiledColumn[],
  source: ProfileSource,
): readonly string[] {
  const parts = profile.flatMap((column, i) => {
    const given = columns.find(({ name }) => name === column.name)
    if (given === undefined || !hasFewValues(given, column.distinct)) return []
    const name = source.quote(column.name)
    const value = source.spelling.asText(name, given.type)
    const counted = `SELECT ${i} AS ken_column, ${value} AS ken_value, COUNT(*) AS ken_count FROM ${source.from} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY 3 DESC, 2`
    return [`SELECT * FROM (${source.spelling.firstRows(counted, TOP_VALUES)}) AS ken_top${i}`]
  })
  return Array.from({ length: Math.ceil(parts.length / TOPS_PER_QUERY) }, (_, at) =>
    parts.slice(at * TOPS_PER_QUERY, (at + 1) * TOPS_PER_QUERY).join(' UNION ALL '),
  )
}

/**
 * Whether a column may have few distinct values. A number may be a code, such as a state of 0, 1 or 2; a key or a date
 * is not.
 */
export function hasFewValues({ type, isKey, format, isJson }: ProfileColumn, distinct: number): boolean {
  const kind = kindOf(type)
  if (distinct === 0 || format !== undefined || isJson === true) return false
  if (kind === 'number') return !isKey && distinct <= FEW_NUMBERS
  return (kind === 'text' || kind === 'boolean') && distinct <= FEW_VALUES
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

/** Names that mark a number as a key although none is declared. */
export const isKeyName = (name: string): boolean => /(?:^|_)(?:id|key)$/i.test(name)
const hasSpread = ({ type, isKey, format }: ProfileColumn): boolean =>
  kindOf(type) === 'number' && !isKey && format === undefined
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
