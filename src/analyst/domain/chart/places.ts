import { labelsOf, momentsOf, numbersOf } from './cell-values.ts'
import type { ChartCell, ChartKind } from './chart.ts'
import { grainOf, momentLabel, type Moment } from './moment.ts'
import { barPeriods, periodsOf } from './periods.ts'

/** Positions of the rows of a result on the x axis. */
export interface Places {
  readonly labels: readonly string[]
  /** Position of each row; undefined for a row without one. */
  readonly ofRow: readonly (number | undefined)[]
  readonly isTime: boolean
}

/**
 * Assigns positions: moments are sorted, and so are numbers on the x axis of a line; everything else keeps the query's
 * order.
 */
export function placesOf(cells: readonly ChartCell[], kind: ChartKind): Places {
  const moments = kind === 'pie' || kind === 'radar' ? undefined : momentsOf(cells)
  if (moments !== undefined) return ofMoments(moments, kind)
  const isLine = kind === 'line' || kind === 'area' || kind === 'stacked_area'
  const numbers = isLine ? numbersOf(cells) : undefined
  const labels = labelsOf(cells)
  const order = numbers === undefined ? labels.map((_, row) => row) : sortedRows(numbers)
  const known = new Map<string, number>()
  for (const row of order) if (!known.has(labels[row]!)) known.set(labels[row]!, known.size)
  return { labels: [...known.keys()], ofRow: labels.map((label) => known.get(label)), isTime: false }
}

const sortedRows = (numbers: readonly (number | null)[]): number[] =>
  numbers.map((_, row) => row).toSorted((a, b) => (numbers[a] ?? Infinity) - (numbers[b] ?? Infinity) || a - b)

function ofMoments(moments: readonly (Moment | null)[], kind: ChartKind): Places {
  const real = moments.filter((moment) => moment !== null)
  const grain = grainOf(real)
  const present = presentIn(real)
  const all = kind.endsWith('bar') ? barPeriods(present, grain) : (periodsOf(present, grain) ?? present)
  const index = new Map(all.map((at, place) => [at, place]))
  return {
    labels: all.map((at) => momentLabel(at, grain)),
    ofRow: moments.map((moment) => (moment === null ? undefined : index.get(moment.at))),
    isTime: true,
  }
}

const presentIn = (moments: readonly Moment[]): readonly number[] =>
  [...new Set(moments.map(({ at }) => at))].toSorted((a, b) => a - b)

/** Whether moments follow no period, so that the points of a line are proportional to time. */
export function isIrregular(moments: readonly (Moment | null)[]): boolean {
  const real = moments.filter((moment) => moment !== null)
  return periodsOf(presentIn(real), grainOf(real)) === undefined
}

/** Position of each row on a number axis: moments in milliseconds. */
export function lineOf(cells: readonly ChartCell[]): { at: readonly (number | null)[]; isTime: boolean } {
  const numbers = numbersOf(cells)
  if (numbers !== undefined) return { at: numbers, isTime: false }
  const moments = momentsOf(cells) ?? []
  return { at: moments.map((moment) => moment?.at ?? null), isTime: true }
}
