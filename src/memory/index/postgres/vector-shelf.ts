import type { HeldVectors } from './held-vectors.ts'

export interface VectorPlace {
  readonly project: string
  readonly embedder: string
  readonly dimensions: number
}

/** Vectors that a replica keeps between questions. */
export interface VectorShelf {
  /** Whether so many vectors have room. */
  hasRoomFor(vectors: number, dimensions: number): boolean
  /** Keeps what `keepUp` makes of what is held, and gives it out. Who comes meanwhile for the same place waits. */
  use(place: VectorPlace, keepUp: (held: HeldVectors | undefined) => Promise<HeldVectors>): Promise<HeldVectors>
  /** Settles when what nothing is held of has been read; undefined where nobody reads it. */
  firstRead(place: VectorPlace): Promise<unknown> | undefined
  /** Frees everything. */
  drop(): void
}

/** Thrown at whoever needs what somebody else is reading for the first time. That takes long, and is waited for without a connection. */
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
/** Two numbers and a scale beside each vector. */
const BESIDE = 20

/** What was asked for longest ago goes first. What was asked for last may be larger than all others may be together. */
export function openVectorShelf({ most = MOST_BYTES, largest = LARGEST_BYTES } = {}): VectorShelf {
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
