import type { MemoryRow } from '../../../analyst/domain/user-memory/memory-row.ts'
import type { MemoryRows } from '../memory-changes.ts'

/** Rows of a user before a change, and its effects, to be written all at once. */
export interface MemoryLedger extends MemoryRows {
  changes(): {
    readonly put: readonly MemoryRow[]
    readonly removed: readonly string[]
    readonly erased: readonly string[]
  }
}

/** `others`: ids that belong to other users. */
export function memoryLedger(known: readonly MemoryRow[], others: readonly string[]): MemoryLedger {
  const rows = new Map(known.map((row) => [row.id, row]))
  const [put, removed, erased] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return {
    find: (id) => rows.get(id),
    isTaken: (id) => rows.has(id) || others.includes(id),
    supersededBy: (id) => [...rows.values()].filter((row) => row.supersededBy === id),
    put(row) {
      rows.set(row.id, row)
      put.add(row.id)
    },
    remove(id) {
      rows.delete(id)
      put.delete(id)
      removed.add(id)
    },
    erase: (id) => void erased.add(id),
    changes: () => ({ put: [...put].map((id) => rows.get(id)!), removed: [...removed], erased: [...erased] }),
  }
}
