export interface RulerDay {
  readonly day: string
  readonly events: number
  readonly decisions: number
  readonly commit?: string | undefined
}

export interface RulerTick extends RulerDay {
  /** Position on the ruler, 0 to 1. */
  readonly at: number
  /** Height, 0 to 1: the busiest day is 1. */
  readonly height: number
}

// A ruler of a thousand pixels cannot show more.
const MOST_TICKS = 400

/**
 * Ticks on a ruler, oldest first. Time is linear, but ticks are at least one of `MOST_TICKS` places apart: closer days
 * are merged into the later day.
 */
export function rulerTicks(days: readonly RulerDay[]): RulerTick[] {
  const oldestFirst = days
    .filter(({ day }) => !Number.isNaN(Date.parse(day)))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)]
  if (first === undefined || last === undefined) return []
  const [from, to] = [Date.parse(first.day), Date.parse(last.day)]
  const places = new Map<number, RulerDay>()
  for (const day of oldestFirst) {
    const place = to === from ? MOST_TICKS : Math.round(((Date.parse(day.day) - from) / (to - from)) * MOST_TICKS)
    const before = places.get(place)
    places.set(place, {
      ...before,
      ...day,
      events: (before?.events ?? 0) + day.events,
      decisions: (before?.decisions ?? 0) + day.decisions,
    })
  }
  const most = Math.max(...[...places.values()].map(({ events }) => events))
  return [...places].map(([place, day]) => ({
    ...day,
    at: place / MOST_TICKS,
    // A day with a single change must stay visible next to days with thousands.
    height: 0.25 + 0.75 * Math.sqrt(day.events / most),
  }))
}

/** Tick of an as-of date: the last one at or before its day; without a date, the last of all. */
export function tickOf(ticks: readonly RulerTick[], asOf: string | undefined): number {
  if (asOf === undefined) return ticks.length - 1
  const day = asOf.slice(0, 10)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return ticks.length - 1
  return Math.max(
    0,
    ticks.findLastIndex((tick) => tick.day <= day),
  )
}
