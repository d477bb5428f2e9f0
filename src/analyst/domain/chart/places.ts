import { labelOf, momentsOf, numbersOf } from './cell-values.ts'
import type { ChartCell, ChartKind } from './chart.ts'
import { grainOf, momentLabel, nextOf, type Grain, type Moment } from './moment.ts'
import { MOST } from './plot.ts'

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
  const labels = cells.map(labelOf)
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
  const present = [...new Set(real.map(({ at }) => at))].toSorted((a, b) => a - b)
  const all = evenly(present, grain, kind.endsWith('bar') ? MOST.timeBars : MOST.points)
  const index = new Map(all.map((at, place) => [at, place]))
  return {
    labels: all.map((at) => momentLabel(at, grain)),
    ofRow: moments.map((moment) => (moment === null ? undefined : index.get(moment.at))),
    isTime: true,
  }
}

/** Fills in missing periods: a month without a row keeps its place as a gap, unless most places would be gaps. */
function evenly(present: readonly number[], grain: Grain, most: number): readonly number[] {
  const known = new Set(present)
  const all: number[] = []
  const last = present.at(-1)!
  const limit = Math.min(most, present.length * 3)
  let met = 0
  for (let at: number | undefined = present[0]!; at !== undefined && at <= last; at = nextOf(at, grain)) {
    if (all.length >= limit) return present
    if (known.has(at)) met++
    all.push(at)
  }
  return met === present.length ? all : present
}

/** Position of each row on a number axis: moments in milliseconds. */
export function lineOf(cells: readonly ChartCell[]): { at: readonly (number | null)[]; isTime: boolean } {
  const numbers = numbersOf(cells)
  if (numbers !== undefined) return { at: numbers, isTime: false }
  const moments = momentsOf(cells) ?? []
  return { at: moments.map((moment) => moment?.at ?? null), isTime: true }
}
