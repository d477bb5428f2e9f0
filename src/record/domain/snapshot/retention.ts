import type { SnapshotInfo } from './snapshot.ts'

const DAY = 86_400_000
const KEEP_ALL_DAYS = 7
const DAILY_DAYS = 30
const WEEKLY_DAYS = 180

/**
 * The versions to drop: keeps everything from the last 7 days, then one a day up to 30 days, one a week up to 180, one
 * a month beyond. Always keeps the newest, those that added decisions, and those without a readable time.
 */
export function prunable(snapshots: readonly SnapshotInfo[], now: Date): number[] {
  const ordered = [...snapshots].sort((a, b) => a.version - b.version)
  const kept = new Set<number>(
    ordered.filter((s, i) => i > 0 && s.decisions > ordered[i - 1]!.decisions).map((s) => s.version),
  )
  const newest = ordered.at(-1)
  if (newest) kept.add(newest.version)
  const lastOfPeriod = new Map<string, number>()
  for (const snapshot of ordered) {
    const time = instant(snapshot.timestamp)
    if (time === undefined) kept.add(snapshot.version)
    else lastOfPeriod.set(period(time, now), snapshot.version)
  }
  for (const version of lastOfPeriod.values()) kept.add(version)
  return ordered.map((s) => s.version).filter((version) => !kept.has(version))
}

/** The baseline for looking back: the newest dated snapshot at or before `days` ago, else the oldest dated one. */
export function nearestSnapshot<S extends { version: number; timestamp: string }>(
  snapshots: readonly S[],
  days: number,
  now: Date,
): S | undefined {
  const cutoff = now.getTime() - days * DAY
  const dated = snapshots.flatMap((s) => {
    const time = instant(s.timestamp)
    return time === undefined ? [] : [{ s, time: time.getTime() }]
  })
  dated.sort((a, b) => a.time - b.time || a.s.version - b.s.version)
  return (dated.findLast((d) => d.time <= cutoff) ?? dated[0])?.s
}

/** Undefined for a timestamp without a zone, which cannot be placed in time. */
export function instant(timestamp: string): Date | undefined {
  if (!/(?:Z|[+-]\d\d:?\d\d)$/.test(timestamp)) return undefined
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function period(time: Date, now: Date): string {
  const age = now.getTime() - time.getTime()
  if (age <= KEEP_ALL_DAYS * DAY) return `at ${time.toISOString()} ${time.getTime()}`
  if (age <= DAILY_DAYS * DAY) return `day ${time.toISOString().slice(0, 10)}`
  if (age <= WEEKLY_DAYS * DAY) return `week ${time.getUTCFullYear()} ${weekOfYear(time)}`
  return `month ${time.toISOString().slice(0, 7)}`
}

// Weeks start on Monday; days before the first Monday are week 0.
function weekOfYear(time: Date): number {
  const start = Date.UTC(time.getUTCFullYear(), 0, 1)
  const day = Math.floor((time.getTime() - start) / DAY)
  const monday = (time.getUTCDay() + 6) % 7
  return Math.floor((day + 7 - monday) / 7)
}
