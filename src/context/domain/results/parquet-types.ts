import type { Cell } from '../sql/query.ts'
import { isNumeric, type ResultColumn } from './cell-text.ts'

/** The DuckDB types for writing a column, best first; one that would lose a value is skipped, and text always works. */
export function parquetTypes(column: ResultColumn, cells: readonly Cell[]): readonly string[] {
  const type = column.type.toUpperCase()
  const exact = EXACT.has(type) ? [type] : []
  if (type.startsWith('BOOL')) return ['BOOLEAN']
  if (/INT|SERIAL|^LONG$|^SHORT$/.test(type) && isNumeric(column))
    return [...exact, 'BIGINT', 'UBIGINT', 'DECIMAL(38,0)']
  if (/^(?:DECIMAL|NUMERIC|NUMBER|BIGNUMERIC|NEWDECIMAL|FIXED|MONEY|SMALLMONEY|BIGNUM)/.test(type))
    return [declaredDecimal(type), decimalFor(cells)].filter((one) => one !== undefined)
  if (isNumeric(column)) return [...exact, 'DOUBLE']
  if (/^(?:TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ|TIMESTAMP_TZ|TIMESTAMP_LTZ|DATETIMEOFFSET)/.test(type))
    return ['TIMESTAMPTZ']
  if (/^(?:TIMESTAMP|DATETIME)/.test(type)) return [...exact, 'TIMESTAMP']
  if (/^DATE\d*$/.test(type)) return ['DATE']
  if (/^TIME(?:\(\d\))?(?: WITHOUT TIME ZONE)?$/.test(type)) return ['TIME']
  if (type === 'UUID' || type === 'UNIQUEIDENTIFIER') return ['UUID']
  if (/^(?:BLOB|BYTEA|BYTES|(?:VAR)?BINARY|IMAGE|(?:TINY|MEDIUM|LONG)BLOB)/.test(type)) return ['BLOB']
  return type === 'UNKNOWN' || type === '' ? byCells(cells) : []
}

/** DuckDB types that Parquet preserves; it has no 128-bit integer. */
const EXACT: ReadonlySet<string> = new Set(
  'TINYINT SMALLINT INTEGER UTINYINT USMALLINT UINTEGER FLOAT TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS'.split(' '),
)

const MOST_DIGITS = 38

function declaredDecimal(type: string): string | undefined {
  const [, precision, scale] = /\((\d+), ?(\d+)\)/.exec(type) ?? []
  return precision === undefined || Number(precision) > MOST_DIGITS ? undefined : `DECIMAL(${precision},${scale})`
}

/** Decimal type for a column type without a scale: as many decimals as the longest value has. */
function decimalFor(cells: readonly Cell[]): string | undefined {
  const texts = cells.filter((cell) => cell !== null).map(String)
  const scale = texts.reduce((most, text) => Math.max(most, (/\.(\d+)$/.exec(text)?.[1] ?? '').length), 0)
  return scale > MOST_DIGITS ? undefined : `DECIMAL(${MOST_DIGITS},${scale})`
}

function byCells(cells: readonly Cell[]): readonly string[] {
  const there = cells.filter((cell) => cell !== null)
  if (there.length === 0) return []
  if (there.every((cell) => typeof cell === 'boolean')) return ['BOOLEAN']
  if (there.every((cell) => typeof cell === 'bigint' || Number.isInteger(cell))) return ['BIGINT', 'DECIMAL(38,0)']
  return there.every((cell) => typeof cell === 'number') ? ['DOUBLE'] : []
}
