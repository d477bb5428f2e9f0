/** Granularities of dates, the coarsest first. */
export const GRAINS = ['year', 'quarter', 'month', 'week', 'day', 'minute', 'second'] as const
export type Grain = (typeof GRAINS)[number]

export interface Moment {
  /** Milliseconds in UTC. */
  readonly at: number
  /** Granularity as written. */
  readonly grain: Grain
}

const DATE = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,12})?)?(?: ?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?))?$/i
const QUARTER = /^(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[- ]?(\d{4}))$/i
const WEEK = /^(\d{4})-?W(\d{1,2})$/i
const FIRST_YEAR = 1900
const LAST_YEAR = 2100
const LONGEST = 40
const DAY = 86_400_000

/**
 * A date as written by databases and people: 2026-03-01, 2026-03, 2026-Q1, 2026-W09, 2026. A zone is ignored: the clock
 * time is shown.
 */
export function readMoment(cell: string | number | boolean): Moment | undefined {
  if (typeof cell === 'boolean') return undefined
  if (typeof cell === 'number') return yearOf(cell)
  if (cell.length > LONGEST) return undefined
  const text = cell.trim()
  const date = DATE.exec(text)
  if (date !== null) return atDate(date[1]!, date[2]!, date[3] ?? '1', date[3] === undefined ? 'month' : 'day')
  const time = TIME.exec(text)
  if (time !== null) return atTime(time)
  const quarter = QUARTER.exec(text)
  if (quarter !== null) {
    const month = (Number(quarter[2] ?? quarter[3]) - 1) * 3 + 1
    return atDate(quarter[1] ?? quarter[4]!, String(month), '1', 'quarter')
  }
  const week = WEEK.exec(text)
  if (week !== null) return atWeek(Number(week[1]), Number(week[2]))
  return /^\d{4}$/.test(text) ? yearOf(Number(text)) : undefined
}

function yearOf(year: number): Moment | undefined {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR) return undefined
  return { at: Date.UTC(year, 0, 1), grain: 'year' }
}

function atDate(year: string, month: string, day: string, grain: Grain): Moment | undefined {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const read = new Date(at)
  const isReal = read.getUTCMonth() === Number(month) - 1 && read.getUTCDate() === Number(day) && Number(year) >= 100
  return isReal ? { at, grain } : undefined
}

function atTime([, year, month, day, hour, minute, second = '0']: RegExpExecArray): Moment | undefined {
  const date = atDate(year!, month!, day!, 'day')
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return { at: date.at + seconds * 1_000, grain: Number(second) > 0 ? 'second' : seconds > 0 ? 'minute' : 'day' }
}

/** The Monday of an ISO week. */
function atWeek(year: number, week: number): Moment | undefined {
  if (week < 1 || week > 53) return undefined
  const fourth = Date.UTC(year, 0, 4)
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY
  return { at: monday + (week - 1) * 7 * DAY, grain: 'week' }
}

/**
 * Returns the coarsest grain that fits all moments: dates that are all first days of months have the grain month, even
 * if written as days.
 */
export function grainOf(moments: readonly Moment[]): Grain {
  const finest = moments.reduce((most, { grain }) => Math.max(most, GRAINS.indexOf(grain)), 0)
  if (GRAINS[finest] !== 'day') return GRAINS[finest]!
  const dates = moments.map(({ at }) => new Date(at))
  const isFirst = dates.every((date) => date.getUTCDate() === 1)
  if (isFirst && dates.every((date) => date.getUTCMonth() === 0) && dates.length > 1) return 'year'
  if (isFirst && dates.every((date) => date.getUTCMonth() % 3 === 0) && dates.length > 2) return 'quarter'
  if (isFirst) return 'month'
  const [first] = moments
  const isWeekly = moments.length > 2 && moments.every(({ at }) => (at - first!.at) % (7 * DAY) === 0)
  return isWeekly ? 'week' : 'day'
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats `2026`, `Q1 2026`, `Mar 2026`, `9 Mar 2026`, `9 Mar 14:30`. */
export function momentLabel(at: number, grain: Grain): string {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), MONTHS[date.getUTCMonth()]!, date.getUTCDate()]
  if (grain === 'year') return String(year)
  if (grain === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`
  if (grain === 'month') return `${month} ${year}`
  if (grain === 'week' || grain === 'day') return `${day} ${month} ${year}`
  const time = date.toISOString().slice(11, grain === 'minute' ? 16 : 19)
  return `${day} ${month} ${time}`
}

/** Formats a moment with its own precision: `9 Mar 2026`, `9 Mar 14:30`, `9 Mar 14:30:05`. */
export const exactLabel = (at: number): string =>
  momentLabel(at, at % DAY === 0 ? 'day' : at % 60_000 === 0 ? 'minute' : 'second')
