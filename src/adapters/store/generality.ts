import { type QuantizedVector, quantize, quantizedDot } from '../../core/ranking/vector.ts'
import { EVERYDAY_PROPOSALS, generalityOf } from '../../core/record/everyday-proposals.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { CacheDatabase } from './cache-database.ts'

/** How general a query is. The vectors of everyday proposals are kept in the cache: some embedders answer slowly. */
export function openGenerality(cache: CacheDatabase) {
  let known: { readonly embedder: string; readonly vectors: readonly QuantizedVector[] } | undefined
  return async (embedder: Embedder): Promise<(query: QuantizedVector) => number> => {
    if (known?.embedder !== embedder.id)
      known = { embedder: embedder.id, vectors: readVectors(cache, embedder) ?? (await makeVectors(cache, embedder)) }
    const { vectors } = known
    return (query) => generalityOf(vectors.map((vector) => quantizedDot(query, vector)))
  }
}

const PROPOSALS = sha256(EVERYDAY_PROPOSALS.join('\n'))

function readVectors(cache: CacheDatabase, { id, dimensions }: Embedder): QuantizedVector[] | undefined {
  const [row] = cache.rows('SELECT scales, data FROM everyday WHERE embedder = ? AND proposals = ?', id, PROPOSALS) as [
    Uint8Array,
    Uint8Array,
  ][]
  if (row?.[1].byteLength !== EVERYDAY_PROPOSALS.length * dimensions) return undefined
  const bytes = new Int8Array(row[1].slice().buffer)
  return Array.from(new Float32Array(row[0].slice().buffer), (scale, i) => ({
    bytes: bytes.subarray(i * dimensions, (i + 1) * dimensions),
    scale,
  }))
}

async function makeVectors(cache: CacheDatabase, embedder: Embedder): Promise<QuantizedVector[]> {
  const vectors = (await embedder.embed(EVERYDAY_PROPOSALS, 'query')).map(quantize)
  const data = new Uint8Array(vectors.length * embedder.dimensions)
  vectors.forEach(({ bytes }, i) => data.set(new Uint8Array(bytes.buffer), i * embedder.dimensions))
  const scales = new Uint8Array(Float32Array.from(vectors, ({ scale }) => scale).buffer)
  cache.run('INSERT OR REPLACE INTO everyday VALUES (?, ?, ?, ?)', embedder.id, PROPOSALS, scales, data)
  return vectors
}
