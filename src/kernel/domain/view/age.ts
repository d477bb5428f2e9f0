import type { View } from './view.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Date or time as recorded; for a person, its age. */
export function dated(recorded: string, view: View): string {
  return view.now === undefined ? recorded : ageOf(recorded, view.now)
}

/** `3 days ago`. A future or invalid time stays unchanged. */
export function ageOf(recorded: string, now: Date): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(recorded)
  // A date without a time is compared with the current day.
  const time = Date.parse(recorded)
  const age = (isDay ? Date.parse(now.toISOString().slice(0, 10)) : now.getTime()) - time
  if (!Number.isFinite(age) || age < -MINUTE) return recorded
  if (!isDay && age < MINUTE) return 'just now'
  if (!isDay && age < HOUR) return ago(age / MINUTE, 'minute')
  if (!isDay && age < DAY) return ago(age / HOUR, 'hour')
  if (age < DAY) return 'today'
  if (age < 2 * DAY) return 'yesterday'
  if (age < 14 * DAY) return ago(age / DAY, 'day')
  if (age < 60 * DAY) return ago(age / (7 * DAY), 'week')
  if (age < 730 * DAY) return ago(age / (30.44 * DAY), 'month')
  return ago(age / (365.25 * DAY), 'year')
}

function ago(count: number, unit: string): string {
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}
