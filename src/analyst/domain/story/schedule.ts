import { Cron } from 'croner'
import { AppError } from '../../../kernel/domain/errors.ts'
import { plural } from '../../../kernel/domain/text.ts'
import { cronFromWords, EXAMPLES } from './schedule-words.ts'

export interface Schedule {
  /** Five cron fields. */
  readonly cron: string
  readonly timezone: string
}

export interface UnderstoodSchedule extends Schedule {
  /** The schedule in words. */
  readonly says: string
  readonly next: string
}

const LEAST_MINUTES = 5
const EIGHT_DAYS = 8 * 24 * 60 * 60_000

/**
 * Reads five cron fields, or plain words, as a schedule. Throws `invalid_input` with examples for text that cannot be
 * read, never runs, or runs more often than every five minutes: nothing is guessed.
 */
export function readSchedule(text: string, { timezone, now }: { timezone: string; now: Date }): UnderstoodSchedule {
  const given = text.trim()
  const words = isCron(given) ? { cron: numbered(given) } : cronFromWords(given)
  if ('problem' in words) throw refused(words.problem)
  const chosen = { cron: words.cron, timezone: 'timezone' in words ? (words.timezone ?? timezone) : timezone }
  const job = openCron(chosen)
  if (typeof job === 'string') throw refused(job)
  const next = job.nextRun(now)
  if (next === null) throw refused(`"${given}" never comes`)
  const gap = shortestGap(job, next)
  if (gap < LEAST_MINUTES * 60_000)
    throw refused(`"${given}" is more often than every ${LEAST_MINUTES} minutes, which is the least`)
  return { ...chosen, says: sayCron(chosen.cron), next: next.toISOString() }
}

/** The first run after a moment; undefined if there is none. */
export function nextRun(schedule: Schedule, after: Date): Date | undefined {
  const job = openCron(schedule)
  return typeof job === 'string' ? undefined : (job.nextRun(after) ?? undefined)
}

/** Whether a time of the schedule has passed since the last check. */
export function isDue(schedule: Schedule, since: Date, now: Date): boolean {
  const next = nextRun(schedule, since)
  return next !== undefined && next.getTime() <= now.getTime()
}

/** A schedule in words, or its cron fields if there is no plain wording. */
export function sayCron(cron: string): string {
  const [minute, hour, day, month, weekday] = cron.split(' ') as [string, string, string, string, string]
  const when = daysOf({ day, month, weekday })
  const times = timesOf(minute, hour)
  if (when === undefined || times === undefined) return `cron "${cron}"`
  return when === 'every day' && times.startsWith(', ') ? times.slice(2) : `${when}${times}`
}

function openCron({ cron, timezone }: Schedule): Cron | string {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    return `"${timezone}" is no time zone; one is called Europe/Berlin`
  }
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true })
  } catch {
    return `"${cron}" is no schedule`
  }
}

/** Whether text looks like cron fields: it is then parsed as such, so that the error names the wrong field. */
const isCron = (text: string): boolean => FIELDS.test(text)

const NAME = 'sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const FIELDS = new RegExp(`^(?=.{0,200}$)(?=.*[*\\d])(?:(?:[\\d*?,/#L-]|${NAME}){1,60}(?:\\s+|$))+$`, 'i')

/** Replaces day and month names with numbers, so that each schedule has one spelling. */
function numbered(text: string): string {
  const fields = text.trim().toLowerCase().split(/\s+/)
  if (fields.length !== 5)
    throw refused(`"${text}" has ${plural(fields.length, 'field')}; cron has five: minute, hour, day, month, weekday`)
  const [days, months] = [NAME.split('|').slice(0, 7), NAME.split('|').slice(7)]
  const names = (field: string, known: readonly string[], first: number): string =>
    field.replaceAll(/[a-z]{3}/g, (name) => (known.includes(name) ? String(known.indexOf(name) + first) : name))
  return [...fields.slice(0, 3), names(fields[3]!, months, 1), names(fields[4]!, days, 0)]
    .join(' ')
    .replaceAll('l', 'L')
}

function refused(problem: string): AppError {
  return new AppError('invalid_input', `${problem}.`, {
    hint: `E.g. ${EXAMPLES.map((one) => `"${one}"`).join(', ')}, or five fields of cron: "0 8 * * 1-5".`,
  })
}

/** Minimum milliseconds between two runs in the week after the first run. */
function shortestGap(job: Cron, first: Date): number {
  let shortest = Infinity
  for (let at = first, next = job.nextRun(at); next !== null; [at, next] = [next, job.nextRun(next)]) {
    shortest = Math.min(shortest, next.getTime() - at.getTime())
    if (shortest < LEAST_MINUTES * 60_000 || next.getTime() > first.getTime() + EIGHT_DAYS) break
  }
  return shortest
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const NTH = ['', 'first', 'second', 'third', 'fourth', 'fifth']

function daysOf({ day, month, weekday }: { day: string; month: string; weekday: string }): string | undefined {
  const months = month === '*' ? '' : list(month, (one) => MONTHS[Number(one) - 1])
  if (months === undefined || (day !== '*' && weekday !== '*')) return undefined
  const inMonths = months === '' ? '' : ` in ${months}`
  if (day === '*' && weekday === '*') return months === '' ? 'every day' : `every day${inMonths}`
  if (weekday === '1-5') return `Monday to Friday${inMonths}`
  const nth = /^([0-7])#([1-5]|L)$/.exec(weekday)
  if (nth !== null)
    return `the ${nth[2] === 'L' ? 'last' : NTH[Number(nth[2])]} ${DAYS[Number(nth[1])]} of the month${inMonths}`
  if (weekday !== '*') {
    // In plain words the week begins on Monday.
    const sorted = weekday.split(',').toSorted((a, b) => ((Number(a) + 6) % 7) - ((Number(b) + 6) % 7))
    const days = list(sorted.join(','), (one) => DAYS[Number(one)])
    return days === undefined ? undefined : `every ${days}${inMonths}`
  }
  const dates = list(day, (one) => (one === 'L' ? 'last day' : ordinal(one)))
  return dates === undefined ? undefined : `the ${dates} of ${months === '' ? 'every month' : months}`
}

function timesOf(minute: string, hour: string): string | undefined {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  const hours = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(hour)
  const between =
    hours === null ? '' : ` from ${clock(hours[1]!, '0')} to ${clock(hours[2]!, step === undefined ? minute : '59')}`
  if (step !== undefined && (hour === '*' || hours !== null)) return `, every ${step} minutes${between}`
  if (!/^\d+$/.test(minute)) {
    const several = /^\d+(?:,\d+)+$/.test(minute) && hour === '*'
    return several ? `, every hour at minutes ${minute.replaceAll(',', ', ')}` : undefined
  }
  const past = minute === '0' ? '' : ` at ${minute} minutes past`
  if (hour === '*') return `, every hour${past}`
  const everyHours = /^\*\/(\d+)$/.exec(hour)?.[1] ?? hours?.[3]
  if (everyHours !== undefined) return `, every ${everyHours} hours${past}${between}`
  if (hours !== null) return `, every hour${past}${between}`
  const times = list(hour, (one) => (/^\d+$/.test(one) ? clock(one, minute) : undefined))
  return times === undefined ? undefined : ` at ${times}`
}

const clock = (hour: string, minute: string): string => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`

const ordinal = (day: string): string | undefined => {
  if (!/^\d+$/.test(day)) return undefined
  const last = /1[123]$/.test(day) ? '' : day.at(-1)
  return `${day}${last === '1' ? 'st' : last === '2' ? 'nd' : last === '3' ? 'rd' : 'th'}`
}

/** Joins the words of a list field; undefined if an entry has no word. */
function list(field: string, word: (one: string) => string | undefined): string | undefined {
  const words = field.split(',').map(word)
  if (words.some((one) => one === undefined)) return undefined
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`
}
