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

/** Takes the tokens of one chunk after the other and keeps numbers only, so that a large batch stays small in memory. */
export function openPacker() {
  const numbers = new Map<string, number>()
  let counts = new Uint32Array(1024)
  let pairs = new Uint32Array(4096)
  let size = 0
  let chunks = 0

  return {
    get chunks() {
      return chunks
    },
    add(tokens: readonly string[]): void {
      const first = size
      for (const token of tokens) {
        let number = numbers.get(token)
        if (number === undefined) {
          numbers.set(token, (number = numbers.size))
          if (number >= counts.length) counts = widen(counts)
        }
        if (counts[number]!++ > 0) continue
        if (size + 2 > pairs.length) pairs = widen(pairs)
        pairs[size] = number
        size += 2
      }
      for (let at = first; at < size; at += 2) {
        const number = pairs[at]!
        pairs[at + 1] = packEntry(chunks, counts[number]!)
        counts[number] = 0
      }
      chunks++
    },
    pack(): PackedPostings {
      const terms = [...numbers.keys()].sort()
      const rankOf = new Uint32Array(terms.length)
      terms.forEach((term, rank) => (rankOf[numbers.get(term)!] = rank))
      const starts = new Uint32Array(terms.length + 1)
      for (let at = 0; at < size; at += 2) starts[rankOf[pairs[at]!]! + 1]!++
      for (let i = 0; i < terms.length; i++) starts[i + 1]! += starts[i]!
      const next = starts.slice()
      const entries = new Uint32Array(size / 2)
      for (let at = 0; at < size; at += 2) entries[next[rankOf[pairs[at]!]!]!++] = pairs[at + 1]!
      return { terms, starts, entries }
    },
  }
}

/** Packs the tokens of chunks, which are numbered in order. */
export function packPostings(chunks: readonly (readonly string[])[]): PackedPostings {
  const packer = openPacker()
  for (const tokens of chunks) packer.add(tokens)
  return packer.pack()
}

function widen(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(array.length * 2)
  wider.set(array)
  return wider
}
