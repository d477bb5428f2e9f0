import type { CustomTypesConfig, QueryArrayConfig } from 'pg'
import type { BoundValue } from '../domain/sql/bind-names.ts'
import { cellFromDecimal, cellFromInteger, cellFromUtf8, type Cell, type QueryLimits } from '../domain/sql/query.ts'

/**
 * Returns rows as lists of cells. The extended protocol accepts one statement only; the simple one would run whatever
 * follows a semicolon.
 */
export const oneStatement = (
  text: string,
  limits: QueryLimits,
  values: readonly BoundValue[] = [],
): QueryArrayConfig & { queryMode: 'extended' } => ({
  text,
  ...(values.length > 0 && { values: [...values] }),
  queryMode: 'extended',
  rowMode: 'array',
  types: {
    getTypeParser: ((type: number) => (value: string) =>
      toCell(value, type, limits)) as CustomTypesConfig['getTypeParser'],
  },
})

const BOOLEAN = 16
const INTEGERS = new Set([20, 21, 23, 26])
const FLOATS = new Set([700, 701])
const NUMERIC = 1700
const LONG = 1_000

function toCell(value: string, type: number, limits: QueryLimits): Cell {
  if (type === BOOLEAN) return value === 't'
  if (INTEGERS.has(type)) return cellFromInteger(BigInt(value))
  if (FLOATS.has(type)) return Number.isFinite(Number(value)) ? Number(value) : value
  if (type === NUMERIC) return cellFromDecimal(value)
  // A slice keeps the whole string in memory, so a long one is copied.
  return value.length > LONG ? cellFromUtf8(Buffer.from(value), limits) : value
}
