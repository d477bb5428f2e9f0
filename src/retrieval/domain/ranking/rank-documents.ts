import { selectBest } from './select-best.ts'
import type { WorkingArrays } from './working-arrays.ts'

/** Chunks for a ranking: rows numbered from 0, each owned by a document, numbered likewise. */
export interface RankedRows {
  readonly size: number
  readonly documents: number
  readonly ownerOf: Uint32Array
  /** State of each document for the scope of the query: `OUT`, `HOLDS` or `SUPERSEDED`. */
  readonly standing: Uint8Array
}

export const OUT = 0
export const HOLDS = 1
export const SUPERSEDED = 2

export interface BestRow {
  readonly row: number
  readonly score: number
}

/** The best row of every document, best first, at most `limit` documents; equal scores in document order. */
export function bestRows(
  { size, documents, ownerOf, standing, arrays }: RankedRows & { readonly arrays: WorkingArrays },
  scores: Float32Array,
  limit: number,
): BestRow[] {
  const best = arrays.floats(documents)
  const bestRow = arrays.integers(documents)
  for (let row = 0; row < size; row++) {
    const owner = ownerOf[row]!
    const score = scores[row]!
    if (score > best[owner]! && standing[owner] !== OUT) {
      best[owner] = score
      bestRow[owner] = row
    }
  }
  return selectBest(best, limit).map((owner) => ({ row: bestRow[owner]!, score: best[owner]! }))
}

const K = 60

/** Reciprocal rank fusion, for lists with scores that cannot be compared. A list counts `weight` times. */
export function fuseRanks<T>(
  lists: readonly { readonly items: readonly T[]; readonly weight: number }[],
): Map<T, number> {
  const fused = new Map<T, number>()
  for (const { items, weight } of lists) {
    items.forEach((item, at) => fused.set(item, (fused.get(item) ?? 0) + weight / (K + at + 1)))
  }
  return fused
}
