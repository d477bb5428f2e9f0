import type { QuantizedVector } from '../domain/ranking/vector.ts'

/**
 * Exact nearest-neighbour search over vectors kept in one buffer. Rows are numbered in the order they were added, from
 * 0. Every adapter passes test/contract/vector-scan.contract.ts.
 */
export interface VectorScan {
  readonly dimensions: number
  /** How many rows were added. */
  readonly size: number
  /** Appends one row per scale; `bytes` holds the rows one after the other. Returns the number of the first new row. */
  add(bytes: Int8Array, scales: Float32Array): number
  /** Replaces a row in place. */
  set(row: number, vector: QuantizedVector): void
  /**
   * The `k` rows nearest to the query, best first; equal scores in row order. `allowed` has one bit per row (bit `row &
   * 7` of byte `row >> 3`): rows without it are skipped inside the scan, so the answer is full whenever enough rows are
   * allowed.
   */
  top(query: QuantizedVector, k: number, allowed?: Uint8Array): { row: number; score: number }[]
  /** The score of every row that is allowed, by row; what is not has none above -Infinity. */
  scores(query: QuantizedVector, allowed?: Uint8Array): Float32Array
  /** Frees the memory; the scan is empty afterwards. */
  close(): void
}
