import type { ManifestEntry } from './manifest.ts'

export type DueReason =
  | 'new'
  | 'changed'
  | 'aged'
  | 'moved'
  | 'missing'
  | 'stale'
  | 'unfinished'
  | 'unwritten'
  | 'forced'

interface Listed {
  readonly fingerprint: string
  readonly maxAgeDays: number | undefined
  readonly path: string
}

const DAY = 86_400_000

/** Why an item has to be fetched again; undefined when what is there will do. */
export function dueReason(item: Listed, before: ManifestEntry | undefined, now: Date): DueReason | undefined {
  if (before === undefined) return 'new'
  if (before.unfinished) return 'unfinished'
  if (before.stale !== undefined) return 'stale'
  if (before.fingerprint !== item.fingerprint) return 'changed'
  if (before.files.some((file) => file.path !== item.path && !file.path.startsWith(`${item.path}/`))) return 'moved'
  const age = now.getTime() - Date.parse(before.checked_at)
  return item.maxAgeDays !== undefined && !(age < item.maxAgeDays * DAY) ? 'aged' : undefined
}

/** `name`, or `name:glob` for some items of a source. */
export interface Selection {
  readonly source: string
  readonly items: string | undefined
}

export function readSelection(text: string): Selection {
  const colon = text.indexOf(':')
  return colon < 0 ? { source: text, items: undefined } : { source: text.slice(0, colon), items: text.slice(colon + 1) }
}
