export const EXAMPLES = [
  'every weekday at 8',
  'hourly',
  'every monday 9am',
  'first of the month',
  'every 15 minutes',
] as const

export type FromWords = { readonly cron: string; readonly timezone?: string } | { readonly problem: string }

/**
 * Converts plain words to five cron fields. Every word must be recognised: one unknown word rejects the whole text, so
 * that "every monday except in may" does not become every Monday.
 */
export function cronFromWords(text: string): FromWords {
  if (text.trim() === '') return { problem: 'There is no schedule' }
  if (text.length > LONGEST) return { problem: 'That is too long for a schedule' }
  const beyond = beyondFields(text)
  if (beyond !== undefined) return beyond
  const reading: Reading = { rest: ` ${tidied(text)} ` }
  const timezone = takeZone(reading, text)
  const window = takeWindow(reading)
  const interval = takeInterval(reading)
  if (interval !== undefined && 'problem' in interval) return interval
  const days = takeDays(reading)
  if ('problem' in days) return days
  const times = takeTimes(reading)
  if ('problem' in times) return times
  const fallback = takePeriod(reading, days)
  const left = reading.rest
    .replaceAll(FILLER, ' ')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (left.length > 0) return { problem: whatIsLeft(text, left) }
  const { day, month, weekday } = fallback ?? days
  const isPlain = day === '*' && month === '*' && weekday === '*'
  if (interval === undefined && fallback === undefined && isPlain && !hasDay(text) && times.hours === undefined)
    return { problem: `"${text.trim()}" does not say when` }
  const clock = clockFields({ interval, window, times, fallback })
  if ('problem' in clock) return clock
  return {
    cron: `${clock.minute} ${clock.hour} ${day} ${month} ${weekday}`,
    ...(timezone !== undefined && { timezone }),
  }
}

const LONGEST = 200
/** Default hour of a schedule that names a day but no time. */
const USUAL_HOUR = 8

interface Reading {
  rest: string
}

interface DayFields {
  readonly day: string
  readonly month: string
  readonly weekday: string
}

interface Problem {
  readonly problem: string
}

const tidied = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/o['’]?clock/g, ' ')
    .replaceAll(/(?<=\d ?)([ap])\.m\.?/g, '$1m')
    .replaceAll(/[,;]| & /g, ' and ')
    .replaceAll(/[.!]+\s*$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const FILLER =
  /(?<![\p{L}\d])(?:every|each|on|at|the|of|and|in|a|an|all|day|days|please|refresh|update|run|it|this|story|once|per|time|then|always|o)(?![\p{L}\d])/gu

/** Removes the first match from the unread text. */
function take(reading: Reading, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(reading.rest)
  if (found === null) return undefined
  reading.rest = `${reading.rest.slice(0, found.index)} ${reading.rest.slice(found.index + found[0].length)}`
  return found
}

function takeZone(reading: Reading, text: string): string | undefined {
  const found = take(reading, /(?<= )\(?(?:in )?((?:[a-z_]+\/)+[a-z_+-]+\d*|utc|gmt)\)?(?: time)?(?= )/)
  if (found === undefined) return undefined
  const written = new RegExp(found[1]!.replaceAll(/[+]/g, '\\+'), 'i').exec(text)?.[0]
  return /^(?:utc|gmt)$/.test(found[1]!) ? 'UTC' : written
}

const CLOCK = String.raw`(?:(\d{1,2})(?:[:.h](\d{2})|h)? ?(am|pm)?|(noon|midday|midnight))`

interface Moment {
  readonly hour: number
  readonly minute: number
}

function momentOf([hour, minute, half, word]: readonly (string | undefined)[]): Moment | undefined {
  if (word !== undefined) return { hour: word === 'midnight' ? 0 : 12, minute: 0 }
  const given = Number(hour)
  const [isHalf, isAfternoon] = [half !== undefined, half?.startsWith('p') === true]
  if (isHalf && (given < 1 || given > 12)) return undefined
  const read = isHalf ? (given % 12) + (isAfternoon ? 12 : 0) : given
  const minutes = Number(minute ?? 0)
  return read > 23 || minutes > 59 ? undefined : { hour: read, minute: minutes }
}

interface Window {
  readonly from: number
  readonly to: number
}

/** Takes `between 9 and 17`, `from 8am to 6pm`: the full hours in which an interval runs. */
function takeWindow(reading: Reading): Window | undefined {
  const found = new RegExp(`(?<= )(?:between|from) ${CLOCK} (?:and|to|until|till|through) ${CLOCK}(?= )`).exec(
    reading.rest,
  )
  if (found === null) return undefined
  const [from, to] = [momentOf(found.slice(1, 5)), momentOf(found.slice(5, 9))]
  if (from === undefined || to === undefined || from.minute + to.minute > 0 || from.hour >= to.hour) return undefined
  reading.rest = reading.rest.replace(found[0], ' ')
  return { from: from.hour, to: to.hour }
}

type Interval = { readonly minutes: number } | { readonly hours: number; readonly past: number }

const NUMBERS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
}
const NUMBER = String.raw`(\d{1,4}|${Object.keys(NUMBERS).join('|')})`
const numberOf = (word: string): number => NUMBERS[word] ?? Number(word)

function takeInterval(reading: Reading): Interval | Problem | undefined {
  const each = String.raw`(?<= )(?:every|each|once every|all) `
  const minutes = take(reading, new RegExp(`${each}${NUMBER} ?(?:minutes?|mins?|m)(?= )`))
  if (minutes !== undefined) return inMinutes(numberOf(minutes[1]!))
  if (take(reading, /(?<= )(?:every|each|once a|once every) minute(?= )|(?<= )minutely(?= )/)) return inMinutes(1)
  if (take(reading, /(?<= )every (?:quarter(?: of an)? hour|quarter-hour)(?= )|(?<= )four times an hour(?= )/))
    return inMinutes(15)
  if (take(reading, /(?<= )(?:every half(?: an)?[ -]hour|half[ -]hourly|twice an hour)(?= )/)) return inMinutes(30)
  const hours = take(reading, new RegExp(`${each}${NUMBER} ?(?:hours?|hrs?|h)(?= )`))
  if (hours !== undefined) return inHours(reading, numberOf(hours[1]!))
  if (take(reading, /(?<= )(?:every other|every second) hour(?= )/)) return inHours(reading, 2)
  const past = take(reading, /(?<= )(?:at )?(\d{1,2}) (?:minutes? )?(?:past|after) (?:every|each|the) hour(?= )/)
  if (past !== undefined) return Number(past[1]) > 59 ? tooLate(past[1]!) : { hours: 1, past: Number(past[1]) }
  if (take(reading, /(?<= )(?:hourly|(?:every|each|once an|once per|on the) hour)(?= )/)) return inHours(reading, 1)
  return undefined
}

function inMinutes(minutes: number): Interval | Problem {
  if (minutes > 0 && minutes % 60 === 0) return inWholeHours(minutes / 60, 0)
  if (minutes === 0 || 60 % minutes !== 0)
    return { problem: `Every ${minutes} minutes does not divide an hour; 5, 6, 10, 12, 15, 20 and 30 do` }
  return { minutes }
}

function inHours(reading: Reading, hours: number): Interval | Problem {
  const past = take(
    reading,
    /(?<= )(?:at )?:(\d{2})(?= )|(?<= )at (\d{1,2}) (?:minutes? )?past(?= )|(?<= )at minute (\d{1,2})(?= )/,
  )
  const minute = past === undefined ? 0 : Number(past[1] ?? past[2] ?? past[3])
  return minute > 59 ? tooLate(String(minute)) : inWholeHours(hours, minute)
}

const inWholeHours = (hours: number, past: number): Interval | Problem =>
  hours === 0 || 24 % hours !== 0
    ? { problem: `Every ${hours} hours does not divide a day; 1, 2, 3, 4, 6, 8, 12 and 24 do` }
    : { hours, past }

const tooLate = (minute: string): Problem => ({ problem: `An hour has no minute ${minute}` })

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const WEEKDAY = String.raw`(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|rsday|rs|r|urday)?s?`
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const MONTH = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?`
const NTH: Readonly<Record<string, string>> = {
  first: '1',
  '1st': '1',
  second: '2',
  '2nd': '2',
  third: '3',
  '3rd': '3',
  fourth: '4',
  '4th': '4',
  last: 'L',
}
const OF_MONTH = String.raw`(?:of|in) (?:(?:the|every|each|a) )?month`

function takeDays(reading: Reading): DayFields | Problem {
  const nth = take(reading, new RegExp(`(?<= )(${Object.keys(NTH).join('|')}) ${WEEKDAY} ${OF_MONTH}(?= )`))
  if (nth !== undefined) return { day: '*', month: '*', weekday: `${weekdayNumber(nth[2]!)}#${NTH[nth[1]!]}` }
  if (
    take(
      reading,
      new RegExp(`(?<= )last (?:day )?${OF_MONTH}(?= )|(?<= )(?:month[- ]end|end of (?:the|every|each) month)(?= )`),
    )
  )
    return { day: 'L', month: '*', weekday: '*' }
  const dated = takeDates(reading)
  if (dated !== undefined) return dated
  const range = take(reading, new RegExp(`(?<= )(?:from )?${WEEKDAY} ?(?:-|–|to|through|until|till) ?${WEEKDAY}(?= )`))
  if (range !== undefined) return { day: '*', month: '*', weekday: weekdayRange(range[1]!, range[2]!) }
  if (take(reading, /(?<= )(?:week ?days?|work(?:ing)? ?days?|business days?)(?= )/))
    return { day: '*', month: '*', weekday: '1-5' }
  if (take(reading, /(?<= )week ?ends?(?= )/)) return { day: '*', month: '*', weekday: '0,6' }
  const named = new Set<number>()
  for (
    let one = take(reading, new RegExp(`(?<= )${WEEKDAY}(?= )`));
    one !== undefined;
    one = take(reading, new RegExp(`(?<= )${WEEKDAY}(?= )`))
  )
    named.add(weekdayNumber(one[1]!))
  const weekday = named.size === 0 ? '*' : [...named].toSorted((a, b) => a - b).join(',')
  return { day: '*', month: '*', weekday }
}

/** Parses `the 1st and 15th of every month`, `first of the month`, `1 january`. */
function takeDates(reading: Reading): DayFields | Problem | undefined {
  const inYear =
    take(reading, new RegExp(`(?<= )(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?= )`)) ??
    take(reading, new RegExp(`(?<= )${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?= )`))
  if (inYear !== undefined) {
    const [day, name] = /^\d/.test(inYear[1]!) ? [inYear[1]!, inYear[2]!] : [inYear[2]!, inYear[1]!]
    const month = MONTHS.indexOf(name as (typeof MONTHS)[number]) + 1
    take(reading, /(?<= )(?:every|each|a) year(?= )|(?<= )(?:yearly|annually)(?= )/)
    return dayFits(day) ?? { day: String(Number(day)), month: String(month), weekday: '*' }
  }
  const first = take(
    reading,
    new RegExp(`(?<= )(?:first|1st) (?:day )?${OF_MONTH}(?= )|(?<= )(?:start|beginning) ${OF_MONTH}(?= )`),
  )
  if (first !== undefined) return { day: '1', month: '*', weekday: '*' }
  const dates = new Set<number>()
  const pattern = /(?<= )(\d{1,2})(?:st|nd|rd|th)(?= )/
  for (let one = take(reading, pattern); one !== undefined; one = take(reading, pattern)) {
    const fault = dayFits(one[1]!)
    if (fault !== undefined) return fault
    dates.add(Number(one[1]))
  }
  if (dates.size === 0) {
    const day = take(
      reading,
      /(?<= )(?:monthly|(?:every|each) month) on day (\d{1,2})(?= )|(?<= )day (\d{1,2}) of (?:the|every|each) month(?= )/,
    )
    if (day === undefined) return undefined
    dates.add(Number(day[1] ?? day[2]))
  }
  take(reading, /(?<= )(?:of |in )?(?:(?:the|every|each|a) )month(?= )|(?<= )monthly(?= )/)
  return { day: [...dates].toSorted((a, b) => a - b).join(','), month: '*', weekday: '*' }
}

const dayFits = (day: string): Problem | undefined =>
  Number(day) >= 1 && Number(day) <= 31 ? undefined : { problem: `No month has a day ${day}` }

const weekdayNumber = (name: string): number => WEEKDAYS.indexOf(name as (typeof WEEKDAYS)[number])

function weekdayRange(from: string, to: string): string {
  const [first, last] = [weekdayNumber(from), weekdayNumber(to)]
  if (first < last) return `${first}-${last}`
  const days: number[] = [first]
  for (let day = first; day !== last;) days.push((day = (day + 1) % 7))
  return [...new Set(days)].toSorted((a, b) => a - b).join(',')
}

interface Times {
  readonly hours: readonly number[] | undefined
  readonly minute: number
}

const PARTS: Readonly<Record<string, number>> = {
  morning: 8,
  noon: 12,
  midday: 12,
  afternoon: 14,
  evening: 18,
  night: 22,
  nightly: 2,
  midnight: 0,
}

/** Consumes the times of a schedule. All of them share one minute: a limit of five-field cron. */
function takeTimes(reading: Reading): Times | Problem {
  const moments: Moment[] = []
  // `every 2` is a count, not a time.
  const pattern = new RegExp(`(?<= )(?<!every |each |next |for )${CLOCK}(?= )`)
  for (let one = take(reading, pattern); one !== undefined; one = take(reading, pattern)) {
    const moment = momentOf(one.slice(1, 5))
    if (moment === undefined) return { problem: `${one[0].trim()} is no time of the day` }
    moments.push(moment)
  }
  const part = take(reading, new RegExp(`(?<= )(?:in the |at )?(${Object.keys(PARTS).join('|')})s?(?= )`))?.[1]
  if (part !== undefined && moments.length === 0) moments.push({ hour: PARTS[part]!, minute: 0 })
  else if (part !== undefined && isEarly(part, moments))
    moments.forEach((one, at) => (moments[at] = { ...one, hour: one.hour + 12 }))
  if (moments.length === 0) return { hours: undefined, minute: 0 }
  const minute = moments[0]!.minute
  if (moments.some((one) => one.minute !== minute))
    return {
      problem: 'All times of one schedule are at the same minute: 8:30 and 17:30 can be said, 8:00 and 17:30 cannot',
    }
  return { hours: [...new Set(moments.map(({ hour }) => hour))].toSorted((a, b) => a - b), minute }
}

/** Whether the hours have to be shifted to the afternoon: `6 in the evening`. */
const isEarly = (part: string, moments: readonly Moment[]): boolean =>
  (part === 'evening' || part === 'afternoon' || part === 'night') &&
  moments.every(({ hour }) => hour >= 1 && hour < 12)

interface Period extends DayFields {
  readonly hours?: readonly number[]
}

/** Consumes the words for the frequency of runs, not for their time. */
function takePeriod(reading: Reading, days: DayFields): Period | undefined {
  take(reading, /(?<= )(?:daily|every day|each day|once a day)(?= )/)
  if (take(reading, /(?<= )(?:twice a day|twice daily)(?= )/)) return { ...days, hours: [USUAL_HOUR, USUAL_HOUR + 12] }
  const isNamed = days.weekday !== '*' || days.day !== '*'
  if (take(reading, /(?<= )(?:weekly|(?:every|each|once a|a|per) week)(?= )/))
    return isNamed ? undefined : { ...days, weekday: '1' }
  if (take(reading, /(?<= )(?:monthly|(?:every|each|once a|a|per) month)(?= )/))
    return isNamed ? undefined : { ...days, day: '1' }
  if (take(reading, /(?<= )(?:quarterly|(?:every|each|once a) quarter)(?= )/))
    return { ...days, day: '1', month: '1,4,7,10' }
  if (take(reading, /(?<= )(?:yearly|annually|(?:every|each|once a) year)(?= )/))
    return { ...days, day: '1', month: '1' }
  return undefined
}

const hasDay = (text: string): boolean =>
  /\b(?:daily|day|morning|afternoon|evening|night|nightly|noon|midnight)s?\b/i.test(text)

interface Clock {
  readonly interval: Interval | undefined
  readonly window: Window | undefined
  readonly times: Times
  readonly fallback: Period | undefined
}

function clockFields({ interval, window, times, fallback }: Clock): { minute: string; hour: string } | Problem {
  if (interval === undefined) {
    if (window !== undefined) return { problem: 'From one hour to another it must say how often, e.g. hourly' }
    return { minute: String(times.minute), hour: (times.hours ?? fallback?.hours ?? [USUAL_HOUR]).join(',') }
  }
  if (times.hours !== undefined)
    return { problem: 'It says both how often and at what time; choose one, or say from when to when' }
  // The last hour of a window is its end: from 9 to 17 runs at 17:00 and not at 17:45.
  if ('minutes' in interval) {
    const hour = window === undefined ? '*' : `${window.from}-${window.to - 1}`
    return { minute: `*/${interval.minutes}`, hour }
  }
  const step = interval.hours === 1 ? '' : `/${interval.hours}`
  if (interval.hours === 24) return { minute: String(interval.past), hour: '0' }
  const hour = window === undefined ? `*${step}` : `${window.from}-${window.to}${step}`
  return { minute: String(interval.past), hour }
}

/** Detects schedules that five fields cannot express. */
function beyondFields(text: string): Problem | undefined {
  const said = text.trim().slice(0, 80)
  if (/\bseconds\b|\bevery (?:single )?sec(?:ond)?$/i.test(said))
    return { problem: `"${said}" is more often than every 5 minutes, which is the least` }
  if (/\b(?:other|alternate)\b(?! hour)|\bfortnight|\bbi-?(?:weekly|monthly)/i.test(said) || EVERY_FEW.test(said))
    return { problem: `"${said}" cannot be said in five fields of cron, which count no days or weeks` }
  return undefined
}

const EVERY_FEW =
  /\b(?:every|each) (?:\d+|few|two|three|four|five|six|seven|eight|ten|second|third) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)?days|weeks|months|quarters|years)\b/i

const whatIsLeft = (text: string, left: readonly string[]): string =>
  `"${left.join(' ').slice(0, 60)}" in "${text.trim().slice(0, 80)}" is not understood`
