import type { QuantizedVector } from '../domain/ranking/vector.ts'

/**
 * Exact nearest-neighbour search over vectors kept in one buffer. Rows are numbered in the order they were added, from
 * 0. Every adapter passes test/contract/vector-scan.contract.ts.
 */
export interface VectorScan {
  readonly dimensions: number
  /** Number of rows. */
  readonly size: number
  /** Appends one row per scale; `bytes` has the rows one after another. Returns the index of the first new row. */
  add(bytes: Int8Array, scales: Float32Array): number
  /** Replaces a row in place. */
  set(row: number, vector: QuantizedVector): void
  /**
   * The `k` rows nearest to the query, best first; equal scores in row order. `allowed` has one bit per row (bit `row &
   * 7` of byte `row >> 3`): other rows are skipped inside the scan, so the result is full whenever enough rows are
   * allowed.
   */
  top(query: QuantizedVector, k: number, allowed?: Uint8Array): { row: number; score: number }[]
  /** The score of every row, by row; -Infinity for rows that are not allowed. */
  scores(query: QuantizedVector, allowed?: Uint8Array): Float32Array
  /** Frees the memory; the scan is empty afterwards. */
  close(): void
}
