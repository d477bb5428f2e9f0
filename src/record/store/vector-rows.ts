import { type QuantizedVector, quantizedDot } from '../../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../retrieval/ports/vector-scan.ts'
import type { CacheDatabase } from './cache-database.ts'

/**
 * The vectors of one embedder: stored in the batches in which they were computed, scanned by row. Replaced documents
 * keep their row and are never requested.
 */
export function openVectorRows(cache: CacheDatabase, embedder: Embedder, open: (dimensions: number) => VectorScan) {
  const { dimensions } = embedder
  const scan = open(dimensions)
  let rowOf = new Int32Array(1024).fill(-1)
  const docOf: number[] = []

  function take(docs: Uint32Array, scales: Float32Array, bytes: Int8Array): void {
    const first = scan.add(bytes, scales)
    for (const [i, doc] of docs.entries()) place(doc, first + i)
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

  for (const [docs, scales, data] of cache.rows(
    'SELECT docs, scales, data FROM vectors WHERE embedder = ?',
    embedder.id,
  ) as [Uint8Array, Uint8Array, Uint8Array][]) {
    if (data.byteLength !== (docs.byteLength / 4) * dimensions) continue
    take(
      new Uint32Array(docs.slice().buffer),
      new Float32Array(scales.slice().buffer),
      new Int8Array(data.buffer, data.byteOffset, data.byteLength),
    )
  }

  return {
    embedder: embedder.id,
    epoch: cache.epoch,
    scan,
    /** -1 for a document without a vector. */
    rowOf: (doc: number): number => rowOf[doc] ?? -1,
    docOf: (row: number): number => docOf[row]!,
    add(vectors: readonly { doc: number; vector: QuantizedVector }[]): void {
      const docs = Uint32Array.from(vectors, ({ doc }) => doc)
      const scales = Float32Array.from(vectors, ({ vector }) => vector.scale)
      const bytes = new Int8Array(vectors.length * dimensions)
      vectors.forEach(({ vector }, i) => bytes.set(vector.bytes, i * dimensions))
      cache.run('INSERT INTO vectors VALUES (?, ?, ?, ?)', embedder.id, asBytes(docs), asBytes(scales), asBytes(bytes))
      take(docs, scales, bytes)
    },
  }
}

const asBytes = (array: Uint32Array | Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** An exact scan in plain JavaScript, for records of a few thousand decisions. */
export function openPlainScan(dimensions: number): VectorScan {
  const rows: QuantizedVector[] = []
  const isAllowed = (row: number, allowed: Uint8Array | undefined) =>
    allowed === undefined || ((allowed[row >> 3]! >> (row & 7)) & 1) === 1
  return {
    dimensions,
    get size() {
      return rows.length
    },
    add(bytes, scales) {
      const first = rows.length
      scales.forEach((scale, i) => rows.push({ bytes: bytes.slice(i * dimensions, (i + 1) * dimensions), scale }))
      return first
    },
    set: (row, vector) => void (rows[row] = vector),
    top(query, k, allowed) {
      const scored = rows.flatMap((vector, row) =>
        isAllowed(row, allowed) ? [{ row, score: quantizedDot(query, vector) }] : [],
      )
      return scored.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, k)
    },
    scores: (query, allowed) =>
      Float32Array.from(rows, (vector, row) => (isAllowed(row, allowed) ? quantizedDot(query, vector) : -Infinity)),
    close: () => void (rows.length = 0),
  }
}
