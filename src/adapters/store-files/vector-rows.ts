import type { QuantizedVector } from '../../core/search/vector.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { VectorScan } from '../../ports/vector-scan.ts'
import type { CacheDatabase } from './cache-database.ts'

/** The vectors of one embedder: stored by document, scanned by row. Documents that were replaced keep their row and are never asked for. */
export function openVectorRows(cache: CacheDatabase, embedder: Embedder, open: (dimensions: number) => VectorScan) {
  const scan = open(embedder.dimensions)
  let rowOf = new Int32Array(1024).fill(-1)
  const docOf: number[] = []

  function take(vectors: readonly { doc: number; vector: QuantizedVector }[]): void {
    const bytes = new Int8Array(vectors.length * embedder.dimensions)
    vectors.forEach(({ vector }, i) => bytes.set(vector.bytes, i * embedder.dimensions))
    const first = scan.add(bytes, Float32Array.from(vectors, ({ vector }) => vector.scale))
    for (const [i, { doc }] of vectors.entries()) place(doc, first + i)
  }

  function place(doc: number, row: number): void {
    if (doc >= rowOf.length) {
      const wider = new Int32Array(2 * doc + 1).fill(-1)
      wider.set(rowOf)
      rowOf = wider
    }
    rowOf[doc] = row
    docOf[row] = doc
  }

  const stored = cache.rows('SELECT doc, scale, data FROM vectors WHERE embedder = ?', embedder.id) as [number, number, Uint8Array][]
  const fitting = stored.filter(([, , data]) => data.byteLength === embedder.dimensions)
  take(fitting.map(([doc, scale, data]) => ({ doc, vector: { scale, bytes: new Int8Array(data.buffer, data.byteOffset, data.byteLength) } })))

  return {
    embedder: embedder.id,
    epoch: cache.epoch,
    scan,
    /** -1 for a document without a vector. */
    rowOf: (doc: number): number => rowOf[doc] ?? -1,
    docOf: (row: number): number => docOf[row]!,
    add(vectors: readonly { doc: number; vector: QuantizedVector }[]): void {
      cache.transaction(() => {
        for (const { doc, vector } of vectors) cache.run('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)', embedder.id, doc, vector.scale, new Uint8Array(vector.bytes.buffer))
      })
      take(vectors)
    },
  }
}
