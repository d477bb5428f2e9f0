import { forgetOldTokens, tokenText, type TokenList, widen } from '../../../kernel/domain/text/analyse.ts'
import { mixHash } from '../../../kernel/domain/text/slice-cache.ts'

/**
 * Term frequencies of consecutive chunks of a batch: leaves of a few terms, which can be sent to a thread and stored in
 * a table unchanged.
 */
export interface PackedPostings {
  /** Number of chunks; entries count them from 0. */
  readonly chunks: number
  /** A power of two, so that the term alone determines its leaf: `leafOf`. */
  readonly leaves: readonly PackedLeaf[]
}

export interface PackedLeaf {
  /** Joined by spaces, which no term contains. */
  readonly terms: string
  /** Number of entries per term, then the entries in the order of the terms. */
  readonly data: Uint32Array
}

const MOST_COUNTED = 0xffff
const TERMS_IN_A_LEAF = 16
/** Leaves of parts that may be joined, which bounds the memory that their terms need. */
export const MOST_LEAVES = 2 ** 14
/** Terms of a part, beyond which a chunk adds some thousands. A megabyte of prose has twenty thousand. */
const MOST_TERMS = 100_000
const MOST_CHUNKS = 2 ** 16

/** The chunk number in the lower 16 bits; the term's frequency in the upper 16. */
export const packEntry = (chunk: number, count: number): number => (chunk | (Math.min(count, MOST_COUNTED) << 16)) >>> 0
export const entryChunk = (entry: number): number => entry & 0xffff
export const entryCount = (entry: number): number => entry >>> 16

/**
 * Takes the tokens of one chunk after another and keeps only numbers, so that a large batch uses little memory. Words
 * are packed as soon as there are many, so a text of words that occur once uses little memory too. The next batch
 * reuses the memory, after `begin`.
 */
export function openPacker() {
  /** By token: its frequency in the chunk, and the number of chunks that have it. */
  let counts = new Uint32Array(4096)
  let found = new Uint32Array(4096)
  let pairs = new Uint32Array(4096)
  let largest = -1
  let size = 0
  let terms = 0
  let chunks = 0
  let parts: PackedPostings[] = []

  function begin(): void {
    forgetOldTokens()
    found.fill(0, 0, largest + 1)
    largest = -1
    size = 0
    terms = 0
    chunks = 0
  }

  function closePart(): void {
    const used = Array.from(found.subarray(0, largest + 1).keys()).filter((number) => found[number]! > 0)
    const { leaves, data, starts } = layOut(used.map(tokenText), (i) => found[used[i]!]!)
    const next = new Uint32Array(largest + 1)
    used.forEach((number, i) => (next[number] = starts[i]!))
    for (let at = 0; at < size; at += 2) data[next[pairs[at]!]!++] = pairs[at + 1]!
    parts.push({ chunks, leaves })
    begin()
  }

  return {
    begin(): void {
      begin()
      parts = []
    },
    /** May renumber tokens: those of the chunk are invalid afterwards. */
    add({ numbers, size: tokens }: TokenList): void {
      const first = size
      while (size + 2 * tokens > pairs.length) pairs = widen(pairs)
      for (let i = 0; i < tokens; i++) {
        const number = numbers[i]!
        while (number >= counts.length) [counts, found] = [widen(counts), widen(found)]
        if (counts[number]!++ > 0) continue
        if (number > largest) largest = number
        if (found[number]!++ === 0) terms++
        pairs[size] = number
        size += 2
      }
      for (let at = first; at < size; at += 2) {
        const number = pairs[at]!
        pairs[at + 1] = packEntry(chunks, counts[number]!)
        counts[number] = 0
      }
      chunks++
      if (terms >= MOST_TERMS || chunks === MOST_CHUNKS) closePart()
    },
    /** The postings of all chunks since `begin`, in consecutive parts. */
    pack(): readonly PackedPostings[] {
      if (chunks > 0) closePart()
      return parts
    },
  }
}

/** Packs unique terms with the entries of the `i`-th of them. */
export function packTerms(
  terms: readonly string[],
  entriesOf: (i: number) => Uint32Array,
): Pick<PackedPostings, 'leaves'> {
  const { leaves, data, starts } = layOut(terms, (i) => entriesOf(i).length)
  terms.forEach((_, i) => data.set(entriesOf(i), starts[i]))
  return { leaves }
}

/** The leaves without their entries, all in one buffer, and the start of each term's entries in it. */
function layOut(
  terms: readonly string[],
  sizeOf: (i: number) => number,
): { leaves: PackedLeaf[]; data: Uint32Array; starts: Uint32Array } {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, terms.length / TERMS_IN_A_LEAF)))
  const members: number[][] = Array.from({ length: count }, () => [])
  let size = terms.length
  for (let i = 0; i < terms.length; i++) {
    members[leafOf(terms[i]!, count)]!.push(i)
    size += sizeOf(i)
  }
  const data = new Uint32Array(size)
  const starts = new Uint32Array(terms.length)
  let end = 0
  const leaves = members.map((own) => {
    const start = end
    for (const i of own) data[end++] = sizeOf(i)
    for (const i of own) {
      starts[i] = end
      end += sizeOf(i)
    }
    return { terms: own.map((i) => terms[i]!).join(' '), data: data.subarray(start, end) }
  })
  return { leaves, data, starts }
}

/** Index of the only leaf, of `leaves`, that may contain a term. */
export function leafOf(term: string, leaves: number): number {
  let hash = 0
  for (let i = 0; i < term.length; i++) hash = mixHash(hash, term.charCodeAt(i))
  return (hash ^ (hash >>> 15)) & (leaves - 1)
}

/** The entries of a term in its leaf. */
export function entriesIn({ terms, data }: PackedLeaf, term: string): Uint32Array {
  if (!terms.includes(term)) return NONE
  const all = terms.split(' ')
  const at = all.indexOf(term)
  if (at === -1) return NONE
  let start = all.length
  for (let i = 0; i < at; i++) start += data[i]!
  return data.subarray(start, start + data[at]!)
}

export function eachTerm({ terms, data }: PackedLeaf, visit: (term: string, entries: Uint32Array) => void): void {
  if (terms === '') return
  const all = terms.split(' ')
  let start = all.length
  all.forEach((term, i) => visit(term, data.subarray(start, (start += data[i]!))))
}

const NONE = new Uint32Array(0)
