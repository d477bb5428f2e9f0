/** `just now`, `5 min ago`, `3 h ago`, `yesterday`, `12 days ago`, then the date. A future time is `in 5 min`. */
export function timeAgo(time: Date, now: number): string {
  const seconds = Math.round((now - time.getTime()) / 1_000)
  const size = Math.abs(seconds)
  const said = (words: string): string => (seconds < 0 ? `in ${words}` : `${words} ago`)
  if (size < 45) return 'just now'
  if (size < 3_570) return said(`${Math.max(1, Math.round(size / 60))} min`)
  if (size < 79_200) return said(`${Math.round(size / 3_600)} h`)
  const days = Math.max(1, Math.round(size / 86_400))
  if (days === 1) return seconds < 0 ? 'tomorrow' : 'yesterday'
  if (days < 30) return said(`${days} days`)
  return time.getFullYear() === new Date(now).getFullYear() ? DAY.format(time) : DAY_OF_YEAR.format(time)
}

/** The day of a date or time, e.g. `12 May 2026`; an invalid one is returned unchanged. */
export function dayWords(day: string): string {
  const time = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? day : DAY_IN_UTC.format(time)
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const DAY_IN_UTC = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
