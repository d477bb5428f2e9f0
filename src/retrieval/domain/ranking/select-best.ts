/**
 * Indices of the best `limit` positive scores, best first; equal scores in ascending order of index. Costs one pass and
 * a heap of `limit`, so a hundred thousand scores are not sorted for ten answers.
 */
export function selectBest(scores: Float32Array, limit: number, allows?: (index: number) => boolean): number[] {
  if (limit < 1) return []
  const heap: number[] = []
  const isWorse = (a: number, b: number) => (scores[a] === scores[b] ? a > b : scores[a]! < scores[b]!)
  let floor = 0
  for (let index = 0; index < scores.length; index++) {
    // Later indices lose ties, so a score equal to the lowest kept score never enters.
    if (!(scores[index]! > floor) || (allows && !allows(index))) continue
    if (heap.length < limit) siftUp(heap, index, isWorse)
    else replaceRoot(heap, index, isWorse)
    if (heap.length >= limit) floor = scores[heap[0]!]!
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b)
}

type Order = (a: number, b: number) => boolean

// The root is the worst kept index, which the next better score replaces.
function siftUp(heap: number[], item: number, isWorse: Order): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(item, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}

function replaceRoot(heap: number[], item: number, isWorse: Order): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) child++
    if (!isWorse(heap[child]!, item)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = item
}
