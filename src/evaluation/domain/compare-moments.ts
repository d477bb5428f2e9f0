const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(?: ?(Z|UTC|[+-]\d{2}(?::?\d{2})?))?)?$/i
const MONTH = /^(\d{4})-(\d{2})$/
const LONGEST = 50

/**
 * Date or time as an engine or JSON writes it, in seconds since 1970 with their fraction: a date is its midnight, and
 * without a zone it is UTC. Undefined for anything else, and for dates with ambiguous day and month.
 */
export function momentInCell(text: string): string | undefined {
  if (text.length > LONGEST || text[4] !== '-') return undefined
  const found = MOMENT.exec(text)
  if (found === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found
  const date = dayOf(Number(year), Number(month), Number(day))
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const seconds = date + (Number(hour) * 60 + Number(minute)) * 60 + Number(second) - offsetOf(zone)
  const part = fraction.replace(/0+$/, '')
  return part === '' ? String(seconds) : `${seconds}.${part}`
}

/** `2026-03` as the start of that month. */
export function monthInCell(text: string): string | undefined {
  const found = text.length > LONGEST || text[4] !== '-' ? null : MONTH.exec(text)
  const date = found === null ? undefined : dayOf(Number(found[1]), Number(found[2]), 1)
  return date === undefined ? undefined : String(date)
}

export function isFirstOfMonth(moment: string): boolean {
  const date = new Date(Number(moment) * 1_000)
  return date.getUTCDate() === 1 && Number(moment) % 86_400 === 0
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  // `Date.UTC` maps years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1_000 : undefined
}

function offsetOf(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (found === null) return 0
  const seconds = (Number(found[2]) * 60 + Number(found[3] ?? 0)) * 60
  return found[1] === '-' ? -seconds : seconds
}
