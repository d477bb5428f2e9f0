import type { ManifestEntry } from './manifest.ts'

export type DueReason =
  | 'new'
  | 'changed'
  | 'data'
  | 'aged'
  | 'moved'
  | 'missing'
  | 'stale'
  | 'unfinished'
  | 'unprofiled'
  | 'unwritten'
  | 'forced'

/** Each reason in words. */
export const DUE_WORDS: Readonly<Record<DueReason, string>> = {
  new: 'new',
  changed: 'its shape or the way it is written changed',
  data: 'its rows changed',
  aged: 'older than it may be',
  moved: 'its place changed',
  missing: 'a file is gone',
  stale: 'could not be read before',
  unfinished: 'writing it was cut off',
  unprofiled: 'not profiled yet',
  unwritten: 'a model has yet to write a document',
  forced: 'forced',
}

interface Listed {
  readonly fingerprint: string
  readonly path: string
  readonly maxAgeDays: number | undefined
  readonly data?: { readonly goodFor: number | undefined }
}

const DAY = 86_400_000

/** Reason to fetch an item again regardless of its data; undefined if the stored copy suffices. */
export function dueReason(item: Listed, before: ManifestEntry | undefined, now: Date): DueReason | undefined {
  if (before === undefined) return 'new'
  if (before.unfinished) return 'unfinished'
  if (before.stale !== undefined) return 'stale'
  if (before.fingerprint !== item.fingerprint) return 'changed'
  if (before.files.some((file) => file.path !== item.path && !file.path.startsWith(`${item.path}/`))) return 'moved'
  return item.maxAgeDays !== undefined && !(ageOf(before, now) < item.maxAgeDays * DAY) ? 'aged' : undefined
}

/** Whether changed data would now be a reason to fetch an item again. */
export const minds = ({ data }: Listed, before: ManifestEntry, now: Date): boolean =>
  data?.goodFor !== undefined && !(ageOf(before, now) < data.goodFor)

/** Whether the old copy can be kept for this reason when the profiling time is used up. */
export const canWait = (reason: DueReason): boolean => CAN_WAIT.has(reason)

const CAN_WAIT: ReadonlySet<DueReason> = new Set(['data', 'aged', 'unprofiled'])

const ageOf = (before: ManifestEntry, now: Date): number => now.getTime() - Date.parse(before.checked_at)

/** A selection `name`, or `name:glob` for some items of a source. */
export interface Selection {
  readonly source: string
  readonly items: string | undefined
}

export function readSelection(text: string): Selection {
  const colon = text.indexOf(':')
  return colon < 0 ? { source: text, items: undefined } : { source: text.slice(0, colon), items: text.slice(colon + 1) }
}
