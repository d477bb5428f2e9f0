/** All vectors that a project has of one embedder, as they were at one generation of its index. */
export interface HeldVectors {
  readonly chunks: Float64Array
  readonly documents: Float64Array
  readonly scales: Float32Array
  readonly bytes: Int8Array
}

export interface VectorPlace {
  readonly project: string
  readonly embedder: string
  readonly dimensions: number
  readonly generation: number
}

/** Vectors that a replica keeps between questions. Another generation is never given out, whatever was heard or missed. */
export interface VectorShelf {
  /** Whether so many vectors have room. */
  hasRoomFor(vectors: number, dimensions: number): boolean
  get(place: VectorPlace): HeldVectors | undefined
  put(place: VectorPlace, held: HeldVectors): void
  /** Frees what is held of a project; of all without one. */
  drop(project?: string): void
}

const MOST_BYTES = 64 * 1024 * 1024
/** Two numbers and a scale beside each vector. */
const BESIDE = 20

/** What was asked for longest ago goes first. */
export function openVectorShelf(most = MOST_BYTES): VectorShelf {
  const shelf = new Map<string, { readonly place: VectorPlace; readonly held: HeldVectors; readonly size: number }>()
  let taken = 0
  const keyOf = ({ project, embedder, dimensions }: VectorPlace) => JSON.stringify([project, embedder, dimensions])
  const remove = (key: string): void => {
    taken -= shelf.get(key)?.size ?? 0
    shelf.delete(key)
  }
  return {
    hasRoomFor: (vectors, dimensions) => vectors * (dimensions + BESIDE) <= most,
    get(place) {
      const key = keyOf(place)
      const found = shelf.get(key)
      if (found === undefined || found.place.generation !== place.generation) return undefined
      shelf.delete(key)
      shelf.set(key, found)
      return found.held
    },
    put(place, held) {
      const key = keyOf(place)
      const size = held.bytes.length + held.chunks.length * BESIDE
      remove(key)
      if (size > most) return
      shelf.set(key, { place, held, size })
      taken += size
      for (const oldest of shelf.keys()) {
        if (taken <= most) break
        remove(oldest)
      }
    },
    drop(project) {
      for (const [key, { place }] of shelf) if (project === undefined || place.project === project) remove(key)
    },
  }
}
