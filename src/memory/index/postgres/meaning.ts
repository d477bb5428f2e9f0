import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { Ground } from './ground.ts'

export interface NearChunk {
  readonly chunk: number
  readonly document: number
  readonly cosine: number
}

/** The vectors of one embedder in one scope, for one question. */
export interface Meaning {
  /** The chunks nearest to the question with a cosine above 0, best first; fewer than `count` if there are no more. */
  nearest(count: number): Promise<readonly NearChunk[]>
  /** The cosines of all chunks of some documents that have a vector, by chunk. */
  of(documents: readonly number[]): Promise<ReadonlyMap<number, number>>
}

export interface MeaningQuery {
  readonly project: string
  readonly embedder: string
  readonly vector: QuantizedVector
  readonly scope: SearchScope
  /** Number of chunks in the project. */
  readonly chunks: number
  /** True if all vectors of the project are in the server's vector index. */
  readonly standsNear: boolean
  /** The chunks and documents of the index at the start of the question. */
  readonly ground: Ground
}

/**
 * The nearest chunks, enough for `depth` documents. Requests as many as `hybridSearch` will, so that it finds all it
 * needs.
 */
export async function nearestDocuments({ nearest }: Meaning, depth: number): Promise<readonly NearChunk[]> {
  for (let count = depth * 4; ; count *= 4) {
    const found = await nearest(count)
    if (found.length < count || new Set(found.map(({ document }) => document)).size >= depth) return found
  }
}
