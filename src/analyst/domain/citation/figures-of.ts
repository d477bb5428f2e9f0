import { numberOf } from '../chart/cell-values.ts'
import type { Reading, ShownNumber } from './number-in-text.ts'

/** A result that may be the source of numbers. */
export interface CitedQuery {
  readonly id: string
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  readonly rowCount: number
  readonly cut: boolean
}

export type Aggregate = 'sum' | 'min' | 'max' | 'mean' | 'count'

/** Position of a number in a result: in a cell, or over all rows. */
export interface FoundFigure {
  readonly column: string
  /** 1-based row. */
  readonly row?: number
  readonly by?: Aggregate
}

export interface ColumnFigures {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** Aggregates over all rows; empty if not all rows are known. */
  readonly aggregates: readonly (readonly [Aggregate, number])[]
}

/** The numbers of each column. Rows that were not shown are ignored. */
export function figuresOf(query: CitedQuery, rows: number): readonly ColumnFigures[] {
  const isWhole = !query.cut && query.rowCount <= query.rows.length
  return query.columns.map(({ name }, at) => {
    const all = query.rows.map((row) => numberOf(row[at] ?? null) ?? null)
    return { name, values: all.slice(0, rows), aggregates: isWhole ? aggregatesOf(all, query.rows, at) : [] }
  })
}

function aggregatesOf(
  values: readonly (number | null)[],
  rows: CitedQuery['rows'],
  at: number,
): readonly (readonly [Aggregate, number])[] {
  const count = ['count', rows.filter((row) => (row[at] ?? null) !== null).length] as const
  const numbers = values.filter((value) => value !== null)
  // For a column of numbers, the number of rows is not a figure.
  if (numbers.length === 0) return [count]
  const sum = numbers.reduce((a, b) => a + b, 0)
  return [
    ['sum', sum],
    ['min', numbers.reduce((a, b) => Math.min(a, b))],
    ['max', numbers.reduce((a, b) => Math.max(a, b))],
    ['mean', sum / numbers.length],
  ]
}

/** How the words before a number qualify it. */
export interface Manner {
  /** The words describe a fall: a fall of 12 also matches -12. */
  readonly isFall: boolean
  /** `about 1,200`, `over 1,200`, `nearly 1,200`: only the digits before the trailing zeros are significant. */
  readonly rounding?: 'about' | 'over' | 'under'
  /** The number cites no cell: it matches only values close to it, and not only after coarse rounding. */
  readonly isLoose?: boolean
}

const MOST_ROUNDED = 0.01

export type Range = readonly [low: number, high: number]

/**
 * Returns the value ranges that match a shown number: within its digits, for percent also as a fraction of one, and to
 * one side if the wording requires it.
 */
export function rangesOf({ readings, isPercent }: ShownNumber, manner: Manner): readonly Range[] {
  return readings.flatMap((reading) =>
    (isPercent ? [1, 0.01] : [1]).flatMap((scale) =>
      (manner.isFall ? [1, -1] : [1]).map((sign): Range => {
        const [below, above] = roomFor(reading, manner)
        const slack = Math.abs(reading.value) * 1e-9
        const [a, b] = [
          reading.value - towards(reading, below) - slack,
          reading.value + towards(reading, above) + slack,
        ]
        const ends = [a * scale * sign, b * scale * sign] as const
        return [Math.min(...ends), Math.max(...ends)]
      }),
    ),
  )

  function towards({ value }: Reading, room: number): number {
    return manner.isLoose && manner.rounding === undefined ? Math.min(room, Math.abs(value) * MOST_ROUNDED) : room
  }
}

export const isWithin = (ranges: readonly Range[], value: number): boolean =>
  ranges.some(([low, high]) => value >= low && value <= high)

/**
 * Returns how far a value may be below and above: half of the last significant digit, or all of it on the side that the
 * wording names.
 */
function roomFor({ value, tolerance }: Reading, { rounding }: Manner): Range {
  if (rounding === undefined || value === 0) return [tolerance, tolerance]
  let unit = tolerance * 2
  const isMultiple = (of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-9
  while (isMultiple(unit * 10) && unit * 10 <= Math.abs(value)) unit *= 10
  if (rounding === 'about') return [unit / 2, unit / 2]
  const isOutward = (rounding === 'over') === value >= 0
  return isOutward ? [tolerance, unit] : [unit, tolerance]
}
