import { normalizeTitle } from '../decision/duplicate.ts'
import { folderOf } from './adr-name.ts'
import type { Adr } from './adr.ts'

interface Titled {
  readonly path: string
  readonly adr: Adr
  readonly title: string
  readonly successor: string | undefined
}

/**
 * Gives active entries that share a title something that tells them apart: folder, number, date, or at last the path.
 */
export function distinctTitles<T extends Titled>(entries: readonly T[]): T[] {
  const groups = Map.groupBy(
    entries.filter((e) => e.successor === undefined),
    (e) => normalizeTitle(e.title),
  )
  const renamed = new Map<string, string>()
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const tell =
      DIFFERENCES.find(
        (difference) => group.every(difference) && new Set(group.map(difference)).size === group.length,
      ) ?? ((e: Titled) => e.path)
    for (const entry of group) renamed.set(entry.path, `${entry.title} (${tell(entry)})`)
  }
  return entries.map((e) => ({ ...e, title: renamed.get(e.path) ?? e.title }))
}

const DIFFERENCES: readonly ((entry: Titled) => string)[] = [
  (e) => folderOf(e.path).split('/').at(-1)!,
  (e) => (e.adr.number === undefined ? '' : `${e.adr.number.series.toUpperCase() || 'ADR'} ${e.adr.number.number}`),
  (e) => e.adr.date ?? '',
]
