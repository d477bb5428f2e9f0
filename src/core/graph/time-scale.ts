import type { GraphNode } from './graph.ts'

/** The side of the square that a dot of the timeline needs. */
export const SLOT = 18
const MOST_PERIODS = 72
const WIDEST_PERIOD = 3 * SLOT
const DAY_MS = 86_400_000

export interface TimeScale {
  readonly first: string
  readonly last: string
  readonly width: number
  /** The period a day falls into, counted from 0. */
  period(date: string): number
  /** Where a period begins. */
  start(period: number): number
}

/** Periods of one or more days, equally wide apart from those that need room for more columns of dots. */
export function timeScale(
  decisions: readonly GraphNode[],
  lanes: readonly (readonly number[])[],
  rows: number,
): TimeScale {
  const dates = decisions.map((d) => d.date).sort()
  const [first, last] = [dates[0]!, dates.at(-1)!]
  const days = dayNumber(last) - dayNumber(first) + 1
  const daysPerPeriod = Math.ceil(days / MOST_PERIODS)
  const period = (date: string): number => Math.floor((dayNumber(date) - dayNumber(first)) / daysPerPeriod)
  const count = period(last) + 1
  const width = Math.min(Math.max((MOST_PERIODS * SLOT) / count, SLOT), WIDEST_PERIOD)
  const widths = Array.from({ length: count }, () => width)
  for (const lane of lanes) {
    for (const [at, { length }] of Map.groupBy(lane, (place) => period(decisions[place]!.date))) {
      widths[at] = Math.max(widths[at]!, Math.ceil(length / rows) * SLOT)
    }
  }
  const starts = [0]
  for (const each of widths) starts.push(starts.at(-1)! + each)
  return { first, last, width: starts[count]!, period, start: (at) => starts[at]! }
}

const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
