import type { Cell, QueryResult } from './query.ts'

export interface ColumnFacts {
  readonly name: string
  readonly nulls: number
  readonly distinct: number
  readonly min?: number | string
  readonly max?: number | string
  readonly sum?: number
  readonly mean?: number
}

/** Facts about every column of a result, so that a reader need not guess from the rows shown. */
export function columnFacts({ columns, rows }: QueryResult): readonly ColumnFacts[] {
  return columns.map(({ name }, i) => {
    const values = rows.map((row) => row[i] ?? null).filter((value): value is Exclude<Cell, null> => value !== null)
    return { name, nulls: rows.length - values.length, distinct: new Set(values).size, ...rangeOf(values) }
  })
}

function rangeOf(values: readonly Exclude<Cell, null>[]): Partial<ColumnFacts> {
  if (values.length === 0) return {}
  if (values.every((value) => typeof value === 'number')) {
    const sum = values.reduce((total, value) => total + value, 0)
    return { min: least(values), max: greatest(values), sum: rounded(sum), mean: rounded(sum / values.length) }
  }
  if (values.every((value) => typeof value === 'string' && value.length <= 64))
    return { min: least(values as string[]), max: greatest(values as string[]) }
  return {}
}

const least = <T extends number | string>(values: readonly T[]): T => values.reduce((a, b) => (b < a ? b : a))
const greatest = <T extends number | string>(values: readonly T[]): T => values.reduce((a, b) => (b > a ? b : a))
const rounded = (value: number): number => Number(value.toPrecision(12))
