/** The reader's current visit. */
export interface Visit {
  /** Items newer than this are news. */
  readonly since: string
  /** Time of the last activity. */
  readonly seen: string
  /** Whether there is no earlier visit. */
  readonly isFirst: boolean
}

const MINUTE = 60_000
// A reader who returns from another page, or from a meeting, still wants to see the news of this visit.
const AWAY = 30 * MINUTE
const FIRST = 7 * 24 * 60 * MINUTE

/** The visit that starts or continues now. */
export function visitAt(now: number, kept: string | undefined): Visit {
  const before = readVisit(kept, now)
  const seen = new Date(now).toISOString()
  if (before === undefined) return { since: new Date(now - FIRST).toISOString(), seen, isFirst: true }
  const isNew = now - Date.parse(before.seen) > AWAY
  return isNew ? { since: before.seen, seen, isFirst: false } : { ...before, seen }
}

function readVisit(kept: string | undefined, now: number): Visit | undefined {
  try {
    const { since, seen, isFirst } = JSON.parse(kept ?? '') as Partial<Record<keyof Visit, unknown>>
    const isTime = (value: unknown): value is string => typeof value === 'string' && Date.parse(value) <= now + MINUTE
    return isTime(since) && isTime(seen) ? { since, seen, isFirst: isFirst === true } : undefined
  } catch {
    return undefined
  }
}
