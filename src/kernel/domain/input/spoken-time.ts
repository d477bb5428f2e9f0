/** Time span of a question, in milliseconds, both ends included. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** Accepted formats of a time, for error messages. */
export const TIME_FORMS = 'Use 2026-01-31, a full ISO time, an age such as 7d, 24h or 2 weeks, or yesterday.'

/**
 * Parses a date, a moment or an age, as people and models write them: `2026-01-31`, `7d`, `24h`, `3 weeks ago`,
 * `yesterday`, `last month`. A day means all of it. Undefined for anything else, and for ambiguous dates
 * (`01/02/2026`). Days begin and end in UTC, like the dates of records.
 */
export function readTime(text: string, now: number): TimeSpan | undefined {
  const said = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const age = readAge(said)
  if (age !== undefined) return moment(now - age)
  return readDate(text.trim()) ?? namedTime(said, now)
}

/** `7d`, `24h`, `2 weeks`, `the last 3 months`, `a year ago` → milliseconds. `m` is a month, as in settings. */
export function readAge(text: string): number | undefined {
  const said = text.trim().toLowerCase()
  if (said.length > LONGEST) return undefined
  const [, amount, unit] =
    /^(?:(?:the |in the )?(?:last|past) )?(an?|\d{1,6}(?:\.\d{1,3})?) ?([a-z]+)(?: ago)?$/.exec(said) ?? []
  const size = unit === undefined ? undefined : UNITS.find(({ names }) => names.includes(unit))?.size
  if (size === undefined) return undefined
  return (amount!.startsWith('a') ? 1 : Number(amount)) * size
}

export const DAY = 24 * 60 * 60 * 1000
const LONGEST = 40

const UNITS: readonly { readonly size: number; readonly names: readonly string[] }[] = [
  { size: 1000, names: ['s', 'sec', 'secs', 'second', 'seconds'] },
  { size: 60_000, names: ['min', 'mins', 'minute', 'minutes'] },
  { size: 60 * 60_000, names: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { size: DAY, names: ['d', 'day', 'days'] },
  { size: 7 * DAY, names: ['w', 'wk', 'wks', 'week', 'weeks'] },
  { size: 30 * DAY, names: ['m', 'mo', 'mos', 'month', 'months'] },
  { size: 365 * DAY, names: ['y', 'yr', 'yrs', 'year', 'years'] },
]

const moment = (time: number): TimeSpan => ({ from: time, to: time })

/** Parses a date that starts with a year or names its month; also epoch seconds and milliseconds. */
function readDate(text: string): TimeSpan | undefined {
  if (/^\d{10}$|^\d{13}$/.test(text)) return moment(Number(text) * (text.length === 10 ? 1000 : 1))
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text) ?? []
  if (month !== undefined) return monthOf(Number(year), Number(month) - 1)
  const day = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (day !== null) return dayOf(Number(day[1]), Number(day[2]), Number(day[3]))
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) return finite(Date.parse(withZone(text)))
  const named = /^(?:(\d{1,2})(?:st|nd|rd|th)? )?([a-z]{3})[a-z]*\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?,? (\d{4})$/i.exec(
    text,
  )
  const at = named === null ? -1 : MONTHS.indexOf(named[2]!.toLowerCase())
  if (named === null || at < 0) return undefined
  const [before, after] = [named[1], named[3]]
  if (before !== undefined && after !== undefined) return undefined
  const date = before ?? after
  return date === undefined ? monthOf(Number(named[4]), at) : dayOf(Number(named[4]), at + 1, Number(date))
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Adds UTC to a time without a zone, as is done for a date without one. */
const withZone = (text: string): string => {
  const iso = text.replace(' ', 'T')
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : `${iso}Z`
}

const finite = (time: number): TimeSpan | undefined => (Number.isFinite(time) ? moment(time) : undefined)

/** Undefined for a day that the month does not have: `Date` would roll over into the next month. */
function dayOf(year: number, month: number, day: number): TimeSpan | undefined {
  const from = Date.UTC(year, month - 1, day)
  const date = new Date(from)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { from, to: from + DAY - 1 } : undefined
}

const monthOf = (year: number, month: number): TimeSpan | undefined =>
  month >= 0 && month < 12 ? { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) - 1 } : undefined

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function namedTime(said: string, now: number): TimeSpan | undefined {
  const today = Math.floor(now / DAY) * DAY
  const days = (from: number, count: number): TimeSpan => ({ from, to: from + count * DAY - 1 })
  const date = new Date(now)
  // Weeks begin on Monday.
  const week = today - ((date.getUTCDay() + 6) % 7) * DAY
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const named: Readonly<Record<string, () => TimeSpan | undefined>> = {
    now: () => moment(now),
    today: () => days(today, 1),
    yesterday: () => days(today - DAY, 1),
    'this week': () => days(week, 7),
    'last week': () => days(week - 7 * DAY, 7),
    'this month': () => monthOf(year, month),
    'last month': () => (month === 0 ? monthOf(year - 1, 11) : monthOf(year, month - 1)),
    'this year': () => ({ from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) - 1 }),
    'last year': () => ({ from: Date.UTC(year - 1, 0, 1), to: Date.UTC(year, 0, 1) - 1 }),
  }
  if (Object.hasOwn(named, said)) return named[said]!()
  const weekday = WEEKDAYS.indexOf(said.replace(/^(?:last|on) /, ''))
  return weekday < 0 ? undefined : days(today - (((date.getUTCDay() - weekday + 6) % 7) + 1) * DAY, 1)
}
