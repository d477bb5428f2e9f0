/** The entries of a model: words, pieces of words, phrases. The row of an entry is its place among them. */
export interface Vocabulary {
  /** The row of a word of its own, or -1. */
  word(text: string): number
  /** The row of a piece of a word, or -1; `isFirst` where the word begins with it. */
  piece(text: string, isFirst: boolean): number
  /** No piece is longer than this. */
  longestPiece(): number
  /** Entries of two and three words. */
  phrases(): ReadonlyMap<string, number>
}

// A question looks up a few dozen; from here on a table of all entries pays.
const SINGLE_LOOKUPS = 500

/** `ends` tells where each of the entries ends; they are sorted by bytes. */
export function openVocabulary(ends: Uint32Array, bytes: Buffer): Vocabulary {
  let lookups = 0
  let all: ReadonlyMap<string, number> | undefined
  const find = (entry: string): number => {
    if (all === undefined && lookups++ < SINGLE_LOOKUPS) return findEntry(ends, bytes, Buffer.from(entry))
    all ??= new Map(entriesOf(ends, bytes).map((text, row) => [text, row]))
    return all.get(entry) ?? -1
  }
  let longest: number | undefined
  return {
    // Words that the teacher would cut into pieces are stored behind a space: they never match the beginning of a
    // longer word.
    word(text) {
      const row = find(text)
      return row >= 0 ? row : find(` ${text}`)
    },
    piece: (text, isFirst) => find(isFirst ? text : `##${text}`),
    longestPiece: () => (longest ??= longestOf(ends, bytes)),
    phrases: () => findPhrases(ends, bytes),
  }
}

const SPACE = 0x20

/** In bytes, which are at least as many as letters. */
function longestOf(ends: Uint32Array, bytes: Buffer): number {
  let longest = 0
  for (let row = 0, start = 0; row < ends.length; start = ends[row++]!)
    if (bytes[start] !== SPACE) longest = Math.max(longest, ends[row]! - start)
  return longest
}

const entriesOf = (ends: Uint32Array, bytes: Buffer): string[] =>
  Array.from(ends, (end, row) => bytes.toString('utf8', row === 0 ? 0 : ends[row - 1], end))

function findEntry(ends: Uint32Array, bytes: Buffer, entry: Buffer): number {
  let low = 0
  let high = ends.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = middle === 0 ? 0 : (ends[middle - 1] as number)
    const order = bytes.compare(entry, 0, entry.length, start, ends[middle] as number)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** They are stored behind two spaces and sort before everything else. */
function findPhrases(ends: Uint32Array, bytes: Buffer): Map<string, number> {
  const phrases = new Map<string, number>()
  for (let row = 0, start = 0; row < ends.length; start = ends[row++] as number) {
    const entry = bytes.toString('utf8', start, ends[row])
    if (!entry.startsWith('  ')) break
    phrases.set(entry.slice(2), row)
  }
  return phrases
}
