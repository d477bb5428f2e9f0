/** A span of days. Days are ISO dates; `to` is the first day after it. */
export interface Period {
  readonly from: string
  readonly to: string
  /** First day of the period of the same kind before it, which ends where this one begins. */
  readonly before: string
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Period from words or dates, seen from `today`; undefined if the text is none. */
export function readPeriod(text: string, today: string): Period | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [, from, to] = /^(\S{10}) ?(?:\.\.|…|–|to|until) ?(\S{10})$/.exec(words) ?? []
  if (from !== undefined) return readRange(from, to!)
  const [, count, unit] = /^last (\d{1,3}) (day|week|month|quarter|year)s?$/.exec(words) ?? []
  if (count !== undefined) return lastOf(Number(count), unit as Unit, today)
  const named = { today: 'this day', yesterday: 'last day' }[words] ?? words
  const [, which, whole] = /^(this|last) (day|week|month|quarter|year)$/.exec(named) ?? []
  if (which === undefined) return readDates(words)
  const start = startOf(whole as Unit, today)
  return spanAt(which === 'this' ? start : moved(start, whole as Unit, -1), whole as Unit)
}

/** A day as written, or in words; undefined if it is none. */
export function readDay(text: string, today: string): string | undefined {
  const words = text.trim().toLowerCase()
  if (words === 'today') return today
  if (words === 'yesterday') return plusDays(today, -1)
  return isDay(words) ? words : undefined
}

/** Words and dates that a person can choose from, newest first. */
export const USUAL_PERIODS = [
  'this week',
  'last week',
  'last 7 days',
  'this month',
  'last month',
  'last 30 days',
  'last quarter',
  'this year',
  'last year',
] as const

/** The days of a period, both ends included. */
export const sayPeriod = ({ from, to }: Pick<Period, 'from' | 'to'>): string => {
  const last = plusDays(to, -1)
  return last === from ? from : `${from} to ${last}`
}

const spanAt = (from: string, unit: Unit): Period => ({
  from,
  to: moved(from, unit, 1),
  before: moved(from, unit, -1),
})

function lastOf(count: number, unit: Unit, today: string): Period | undefined {
  if (count < 1) return undefined
  const to = startOf(unit, today)
  return { from: moved(to, unit, -count), to, before: moved(to, unit, -2 * count) }
}

function readRange(from: string, last: string): Period | undefined {
  if (!isDay(from) || !isDay(last) || last < from) return undefined
  const to = plusDays(last, 1)
  return { from, to, before: plusDays(from, -daysBetween(from, to)) }
}

function readDates(words: string): Period | undefined {
  if (isDay(words)) return spanAt(words, 'day')
  const month = /^(\d{4})-(\d\d)$/.exec(words)
  if (month !== null) return isDay(`${words}-01`) ? spanAt(`${words}-01`, 'month') : undefined
  const quarter = /^(\d{4})-?q([1-4])$/.exec(words)
  if (quarter !== null)
    return spanAt(`${quarter[1]}-${String(Number(quarter[2]) * 3 - 2).padStart(2, '0')}-01`, 'quarter')
  const week = /^(\d{4})-?w(\d\d?)$/.exec(words)
  if (week !== null) return isoWeek(Number(week[1]), Number(week[2]))
  return /^[12]\d{3}$/.test(words) ? spanAt(`${words}-01-01`, 'year') : undefined
}

/** The first week of a year is the one with 4 January. */
function isoWeek(year: number, week: number): Period | undefined {
  const from = plusDays(startOf('week', `${year}-01-04`), (week - 1) * 7)
  const next = startOf('week', `${year + 1}-01-04`)
  return week >= 1 && from < next ? spanAt(from, 'week') : undefined
}

function startOf(unit: Unit, day: string): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))]
  switch (unit) {
    case 'day':
      return day
    case 'week':
      return plusDays(day, -((dateOf(day).getUTCDay() + 6) % 7))
    case 'month':
      return `${day.slice(0, 7)}-01`
    case 'quarter':
      return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
    case 'year':
      return `${year}-01-01`
  }
}

const MONTHS: Readonly<Record<'month' | 'quarter' | 'year', number>> = { month: 1, quarter: 3, year: 12 }

function moved(day: string, unit: Unit, count: number): string {
  if (unit === 'day' || unit === 'week') return plusDays(day, count * (unit === 'week' ? 7 : 1))
  const date = dateOf(day)
  return isoOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[unit], 1)))
}

const DAY = 86_400_000
const plusDays = (day: string, count: number): string => isoOf(new Date(dateOf(day).getTime() + count * DAY))
const daysBetween = (from: string, to: string): number =>
  Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / DAY)
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const isoOf = (date: Date): string => date.toISOString().slice(0, 10)

/** Whether a text is a real date. Engines differ about years beyond four digits. */
const isDay = (text: string): boolean => {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const date = dateOf(text)
  return !Number.isNaN(date.getTime()) && isoOf(date) === text
}
