import { inDollars } from '../../analyst/domain/chat/in-dollars.ts'
import type { CaseStanding } from './compare-runs.ts'
import type { Tally } from './summary.ts'

/** Percentage such as `98.5%`; `—` for an empty total. 100% and 0% are never the result of rounding. */
export function inPercent(part: number | null): string {
  if (part === null) return '—'
  const percent = Math.round(part * 1000) / 10
  if (part < 1 && percent === 100) return '99.9%'
  if (part > 0 && percent === 0) return '0.1%'
  return `${percent}%`
}

/** `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function inTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `940`, `12.4k`, `3.1M`. */
export function inTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return tokens < 999_950 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`
}

/** Cost, as far as prices are known; empty if no model was used. */
export function costOf({ usage, withoutPrice }: Pick<Tally, 'usage' | 'withoutPrice'>): string {
  if (usage.cost === undefined) return withoutPrice === 0 ? '' : 'price not known'
  return `${inDollars(usage.cost)}${withoutPrice > 0 ? ' and more' : ''}`
}

/** `passed`, or `failed, 2 of 5`. */
export const standingOf = ({ verdict, passes, tries }: CaseStanding): string =>
  tries > 1 ? `${verdict}, ${passes} of ${tries}` : verdict

/** Without Z and fractions: `2026-05-01 09:00`. */
export const atMinute = (at: string): string => at.slice(0, 16).replace('T', ' ')
