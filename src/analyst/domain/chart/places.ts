import { labelsOf, momentsOf, numbersOf } from './cell-values.ts'
import type { ChartCell, ChartKind } from './chart.ts'
import { grainOf, momentLabel, type Moment, type Grain } from './moment.ts'
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

const DAY = 86_400_000
const MONTHS_IN: Partial<Record<Grain, number>> = { year: 12, quarter: 3, month: 1 }
// Two moments a year apart do not make a yearly series; three equal steps do.
const STEPS_OF_A_SERIES = 3
// Bars over days: more empty slots than this leave no room for the bars.
const SLOTS_PER_BAR = 3

/**
 * The periods from the first moment to the last, so that a period without a row keeps its place. Undefined if the
 * moments do not follow a period, e.g. readings at odd times: their positions are proportional to time.
 */
function periodsOf(present: readonly number[], grain: Grain): readonly number[] | undefined {
  const calendar = calendarOf(grain, present)
  const indexes = indexesIn(calendar, present)
  if (indexes === undefined) return undefined
  const steps = indexes.slice(1).map((index, i) => index - indexes[i]!)
  if (steps.length === 0) return present
  const smallest = steps.reduce((least, step) => Math.min(least, step))
  const isEven = steps.every((step) => step % smallest === 0)
  const isUsual = steps.filter((step) => step === smallest).length * 2 >= steps.length
  const isSeries = isEven && isUsual && (calendar.isClock || steps.length >= STEPS_OF_A_SERIES)
  const step = isSeries ? smallest : 1
  // Missing months are always gaps; irregular days and times of day have no period.
  if (MONTHS_IN[grain] === undefined && (step !== smallest || !isUsual)) return undefined
  return between(calendar, indexes, step, MOST.points)
}

/** Slots of a bar chart over time: every period, unless most would be empty. */
function barPeriods(present: readonly number[], grain: Grain): readonly number[] {
  const calendar = calendarOf(grain, present)
  const indexes = indexesIn(calendar, present)
  const most = MONTHS_IN[grain] === undefined ? present.length * SLOTS_PER_BAR : MOST.timeBars
  const periods = periodsOf(present, grain)
  if (periods !== undefined && periods.length <= Math.min(most, MOST.timeBars)) return periods
  return (indexes && between(calendar, indexes, 1, Math.min(most, MOST.timeBars))) ?? present
}

/** Periods by number, in order. */
interface Calendar {
  indexOf(at: number): number
  startOf(index: number): number
  /** Whether the periods are seconds. */
  readonly isClock: boolean
}

function calendarOf(grain: Grain, present: readonly number[]): Calendar {
  const months = MONTHS_IN[grain]
  if (months !== undefined)
    return {
      indexOf: (at) => Math.floor(monthOf(new Date(at)) / months),
      startOf: (index) => Date.UTC(1970, index * months, 1),
      isClock: false,
    }
  if (grain === 'day' && isWorkweek(present)) return WORKDAYS
  const unit = grain === 'week' ? 7 * DAY : grain === 'day' ? DAY : 1_000
  const offset = present[0]! % unit
  return {
    indexOf: (at) => Math.floor((at - offset) / unit),
    startOf: (index) => index * unit + offset,
    isClock: unit === 1_000,
  }
}

const monthOf = (date: Date): number => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()

/** Monday is 0; 1 January 1970 was a Thursday. */
const weekdayOf = (at: number): number => (((Math.floor(at / DAY) + 3) % 7) + 7) % 7

/** Whether more than a week of days has no weekend: a market or an office, which has no data then. */
const isWorkweek = (present: readonly number[]): boolean =>
  present.length >= 5 && present.at(-1)! - present[0]! >= 7 * DAY && present.every((at) => weekdayOf(at) < 5)

const WORKDAYS: Calendar = {
  indexOf: (at) => Math.floor((Math.floor(at / DAY) + 3) / 7) * 5 + weekdayOf(at),
  startOf: (index) => (Math.floor(index / 5) * 7 - 3 + (((index % 5) + 5) % 5)) * DAY,
  isClock: false,
}

/** Number of each moment's period; undefined if one is not the start of a period. */
function indexesIn({ indexOf, startOf }: Calendar, present: readonly number[]): readonly number[] | undefined {
  const indexes = present.map(indexOf)
  return indexes.every((index, i) => startOf(index) === present[i]) ? indexes : undefined
}

function between(
  { startOf }: Calendar,
  indexes: readonly number[],
  step: number,
  most: number,
): readonly number[] | undefined {
  const [first, last] = [indexes[0]!, indexes.at(-1)!]
  const count = (last - first) / step + 1
  return count > most ? undefined : Array.from({ length: count }, (_, i) => startOf(first + i * step))
}
