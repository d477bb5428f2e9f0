import type { Entry } from './transcript.ts'

/**
 * The records of the live branch. The last record is its leaf; a rewound or edited prompt leaves its old answers on a
 * sibling branch. Parallel tool calls make siblings too, so a message is live as a whole, and a prompt queued on such a
 * side branch is live unless there is another prompt between it and the live branch.
 */
export function liveEntries(entries: readonly Entry[]): ReadonlySet<Entry> {
  const index = new Map(entries.map((entry, i) => [entry.uuid, i]))
  const above = (i: number): number | undefined => parentIndex(entries, index, i)
  const live = new Set<Entry>()
  for (let at = entries.length > 0 ? entries.length - 1 : undefined; at !== undefined; at = above(at)) {
    const entry = entries[at]!
    if (live.has(entry)) break
    live.add(entry)
  }
  const messages = new Set([...live].flatMap((entry) => entry.message ?? []))
  for (const [i, entry] of entries.entries()) {
    if (live.has(entry)) continue
    if (entry.message !== undefined ? messages.has(entry.message) : isQueued(entry) && hangsOn(i)) live.add(entry)
  }
  return live

  function hangsOn(start: number): boolean {
    const passed = new Set<number>([start])
    for (let at = above(start); at !== undefined && !passed.has(at); at = above(at)) {
      const entry = entries[at]!
      if (live.has(entry)) return true
      if (entry.said.some((said) => said.kind === 'user')) return false
      passed.add(at)
    }
    return false
  }
}

const isQueued = (entry: Entry): boolean => entry.said.some((said) => said.kind === 'user' && said.queued === true)

/** If the parent is not in the file (a damaged line, a compaction), the conversation follows the previous record. */
function parentIndex(entries: readonly Entry[], index: ReadonlyMap<string, number>, at: number): number | undefined {
  const entry = entries[at]!
  const found = entry.parent === undefined ? undefined : index.get(entry.parent)
  if (found !== undefined) return found
  return (entry.parent !== undefined || entry.continues) && at > 0 ? at - 1 : undefined
}
