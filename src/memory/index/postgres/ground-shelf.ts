import { bytesOf, type Ground } from './ground.ts'

/**
 * A replica's cache of index data between questions: numbers of chunks and documents, no text. Each caller reads the
 * changes since the cached state; rows deleted on the server are dropped.
 */
export interface GroundShelf {
  get(project: string): Ground | undefined
  put(project: string, ground: Ground): void
  /** Frees everything. */
  drop(): void
}

const MOST_BYTES = 64 * 1024 * 1024

/** Evicts the least recently used first. The last used entry stays, regardless of its size. */
export function openGroundShelf(most = MOST_BYTES): GroundShelf {
  const shelf = new Map<string, Ground>()
  let taken = 0
  const remove = (project: string): void => {
    const held = shelf.get(project)
    if (held !== undefined) taken -= bytesOf(held)
    shelf.delete(project)
  }
  return {
    get(project) {
      const held = shelf.get(project)
      if (held === undefined) return undefined
      shelf.delete(project)
      shelf.set(project, held)
      return held
    },
    put(project, ground) {
      remove(project)
      shelf.set(project, ground)
      taken += bytesOf(ground)
      for (const oldest of shelf.keys()) {
        if (taken <= most || oldest === project) break
        remove(oldest)
      }
    },
    drop() {
      shelf.clear()
      taken = 0
    },
  }
}
