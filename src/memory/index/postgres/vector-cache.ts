import type { HeldVectors } from './held-vectors.ts'

export interface VectorPlace {
  readonly project: string
  readonly embedder: string
  readonly dimensions: number
}

/** A replica's cache of vectors between questions. */
export interface VectorCache {
  /** Whether this many vectors fit. */
  hasRoomFor(vectors: number, dimensions: number): boolean
  /**
   * Passes the cached vectors to `keepUp`, then caches and returns its result. Concurrent callers for the same key
   * wait.
   */
  use(place: VectorPlace, keepUp: (held: HeldVectors | undefined) => Promise<HeldVectors>): Promise<HeldVectors>
  /** Settles once the first read of uncached vectors is done; undefined if none is in progress. */
  firstRead(place: VectorPlace): Promise<unknown> | undefined
  /** Frees everything. */
  drop(): void
}

/** Thrown if another caller is reading the data for the first time. The wait is long and must not hold a connection. */
export class BeingRead extends Error {
  override name = 'BeingRead'
  readonly over: Promise<unknown>
  constructor(over: Promise<unknown>) {
    super('somebody else is reading it')
    this.over = over
  }
}

const MOST_BYTES = 64 * 1024 * 1024
const LARGEST_BYTES = 512 * 1024 * 1024
/** Bytes per vector for two numbers and a scale. */
const BESIDE = 20

/** Evicts the least recently used first. The last used entry may be larger than the limit for all others together. */
export function openVectorCache({ most = MOST_BYTES, largest = LARGEST_BYTES } = {}): VectorCache {
  const shelf = new Map<string, HeldVectors>()
  const turns = new Map<string, Promise<unknown>>()
  let taken = 0
  const remove = (key: string): void => {
    const held = shelf.get(key)
    if (held !== undefined) taken -= sizeOf(held)
    shelf.delete(key)
  }
  const put = (key: string, held: HeldVectors): void => {
    remove(key)
    if (sizeOf(held) > largest) return
    shelf.set(key, held)
    taken += sizeOf(held)
    for (const oldest of shelf.keys()) {
      if (taken <= most || oldest === key) break
      remove(oldest)
    }
  }
  return {
    hasRoomFor: (vectors, dimensions) => vectors * (dimensions + BESIDE) <= largest,
    firstRead: (place) => (shelf.has(keyOf(place)) ? undefined : turns.get(keyOf(place))),
    async use(place, keepUp) {
      const key = keyOf(place)
      const before = turns.get(key) ?? Promise.resolve()
      const turn = before.then(async () => {
        const held = await keepUp(shelf.get(key))
        put(key, held)
        return held
      })
      const ended = turn.catch(() => undefined).finally(() => turns.get(key) === ended && turns.delete(key))
      turns.set(key, ended)
      return turn
    },
    drop() {
      shelf.clear()
      taken = 0
    },
  }
}

const keyOf = ({ project, embedder, dimensions }: VectorPlace): string =>
  JSON.stringify([project, embedder, dimensions])

const sizeOf = ({ bytes, chunks }: HeldVectors): number => bytes.length + chunks.length * BESIDE
