// A batch is one transaction and what a thread holds in memory at a time.
const BATCH_BYTES = 3 * 1024 * 1024
const BATCH_FILES = 2_000

/** In order; one that is too large for any batch has its own. */
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
