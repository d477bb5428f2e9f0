// Size of a batch: one transaction, and the memory that a thread uses at a time.
const BATCH_BYTES = 3 * 1024 * 1024
const BATCH_FILES = 2_000

/** Groups items in order; an item too large for any batch gets a separate one. */
export function inBatches<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const batches: T[][] = []
  let bytes = Infinity
  for (const item of items) {
    const last = batches.at(-1)
    const size = sizeOf(item)
    if (last === undefined || bytes + size > BATCH_BYTES || last.length >= BATCH_FILES) {
      batches.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return batches
}
