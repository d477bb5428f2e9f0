/** Side of the square for a dot of the timeline. */
export const SLOT = 18
const MOST_PERIODS = 72
const WIDEST_PERIOD = 3 * SLOT
const DAY_MS = 86_400_000

export interface TimeScale {
  /** Days since 1970. */
  readonly first: number
  readonly last: number
  readonly width: number
  /** 0-based period of a day. */
  period(day: number): number
  /** Position of a period's start. */
  start(period: number): number
  /** Position of a day; days within a period are evenly spaced. */
  at(day: number): number
  /** The day at a place. */
  dayAt(x: number): number
}

export const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * Periods of one or more days, equally wide except for periods that need room for more columns of dots; all of them
 * wider if `least` requires it.
 */
export function timeScale(
  days: readonly number[],
  lanes: readonly (readonly number[])[],
  rows: number,
  least = 0,
): TimeScale {
  let [first, last] = [Infinity, -Infinity]
  for (const day of days) [first, last] = [Math.min(first, day), Math.max(last, day)]
  const daysPerPeriod = Math.ceil((last - first + 1) / MOST_PERIODS)
  const period = (day: number): number => Math.floor((day - first) / daysPerPeriod)
  const count = period(last) + 1
  const width = Math.min(Math.max((MOST_PERIODS * SLOT) / count, SLOT), WIDEST_PERIOD)
  const widths = Array.from({ length: count }, () => width)
  for (const lane of lanes) {
    for (const [at, { length }] of Map.groupBy(lane, (place) => period(days[place]!))) {
      widths[at] = Math.max(widths[at]!, Math.ceil(length / rows) * SLOT)
    }
  }
  const needed = widths.reduce((sum, each) => sum + each, 0)
  const stretch = Math.max(1, least / needed)
  const starts = [0]
  for (const [at, each] of widths.entries()) {
    widths[at] = each * stretch
    starts.push(starts.at(-1)! + widths[at])
  }
  const within = (at: number): number => Math.max(0, Math.min(count - 1, at))
  return {
    first,
    last,
    width: starts[count]!,
    period,
    start: (at) => starts[at]!,
    at(day) {
      const place = within(period(day))
      return starts[place]! + ((day - first) / daysPerPeriod - place) * widths[place]!
    },
    dayAt(x) {
      const place = within(starts.findIndex((start) => start > x) - 1)
      const found = first + (place + (x - starts[place]!) / widths[place]!) * daysPerPeriod
      return x >= starts[count]! ? last : Math.max(first, Math.min(last, Math.floor(found)))
    },
  }
}
