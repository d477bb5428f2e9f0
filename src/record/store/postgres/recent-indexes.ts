import type { DecisionIndex } from './decision-index.ts'

export interface RecentIndexes {
  /** Runs `work` with the index of a project, which stays open until `work` ends. */
  use<T>(project: string, work: (index: DecisionIndex) => Promise<T>): Promise<T>
  /** The index of a project, if it is in memory. */
  held(project: string): DecisionIndex | undefined
  close(): Promise<void>
}

export interface IndexBounds {
  readonly projects: number
  /** Total number of decisions in all indexes in memory. */
  readonly decisions: number
}

interface Held {
  readonly index: DecisionIndex
  users: number
  isDropped: boolean
}

/** Indexes of recently used projects; the least recently used are dropped first and rebuilt on demand. */
export function openRecentIndexes(open: (project: string) => DecisionIndex, bounds: IndexBounds): RecentIndexes {
  const recent = new Map<string, Held>()

  const drop = async (project: string, held: Held): Promise<void> => {
    recent.delete(project)
    held.isDropped = true
    if (held.users === 0) await held.index.close()
  }

  async function shrink(): Promise<void> {
    for (const [project, held] of recent) {
      const decisions = [...recent.values()].reduce((sum, { index }) => sum + index.size, 0)
      const isTooMuch = recent.size > bounds.projects || decisions > bounds.decisions
      if (!isTooMuch || recent.size === 1) return
      await drop(project, held)
    }
  }

  return {
    async use(project, work) {
      const held = recent.get(project) ?? { index: open(project), users: 0, isDropped: false }
      recent.delete(project)
      recent.set(project, held)
      held.users++
      try {
        return await work(held.index)
      } finally {
        held.users--
        if (held.isDropped && held.users === 0) await held.index.close()
        else await shrink()
      }
    },
    held: (project) => recent.get(project)?.index,
    async close() {
      for (const [project, held] of recent) await drop(project, held)
    },
  }
}
