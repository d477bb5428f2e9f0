/** Which chunks of a batch hold which terms how often, packed so that it crosses a thread and enters a table without being unpacked. */
export interface PackedPostings {
  /** In ascending order. */
  readonly terms: readonly string[]
  /** The entries of term `i` are `entries[starts[i]]` up to `entries[starts[i + 1]]`. */
  readonly starts: Uint32Array
  /** The number of the chunk in the batch in the lower 16 bits, how often the term stands in it in the upper 16. */
  readonly entries: Uint32Array
}

/** No batch may have more chunks. */
export const LARGEST_BATCH = 0x10000

const MOST_COUNTED = 0xffff

export const packEntry = (chunk: number, count: number): number => (chunk | (Math.min(count, MOST_COUNTED) << 16)) >>> 0
export const entryChunk = (entry: number): number => entry & 0xffff
export const entryCount = (entry: number): number => entry >>> 16

/** Packs the tokens of chunks, which are numbered in order. */
export function packPostings(chunks: readonly (readonly string[])[]): PackedPostings {
  const lists = new Map<string, number[]>()
  chunks.forEach((tokens, chunk) => {
    for (const token of tokens) {
      const list = lists.get(token)
      if (list === undefined) {
        lists.set(token, [chunk, 1])
        continue
      }
      // Pairs of chunk and count: the last pair is this chunk's, or there is none yet.
      const last = list.length - 2
      if (list[last] === chunk) list[last + 1]!++
      else list.push(chunk, 1)
    }
  })
  const terms = [...lists.keys()].sort()
  const starts = new Uint32Array(terms.length + 1)
  terms.forEach((term, i) => (starts[i + 1] = starts[i]! + lists.get(term)!.length / 2))
  const entries = new Uint32Array(starts[terms.length]!)
  let at = 0
  for (const term of terms) {
    const list = lists.get(term)!
    for (let i = 0; i < list.length; i += 2) entries[at++] = packEntry(list[i]!, list[i + 1]!)
  }
  return { terms, starts, entries }
}
