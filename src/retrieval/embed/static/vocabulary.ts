/** The entries of a model: words, pieces of words, phrases. The row of an entry is its position among them. */
export interface Vocabulary {
  /** The row of a whole word, or -1. */
  word(text: string): number
  /** The row of a piece of a word, or -1; `isFirst` if the word begins with it. */
  piece(text: string, isFirst: boolean): number
  /** The maximum length of a piece. */
  longestPiece(): number
  /** Entries of two and three words. */
  phrases(): ReadonlyMap<string, number>
}

// A query looks up a few dozen; beyond this a table of all entries pays off.
const SINGLE_LOOKUPS = 500

/** `ends` has the end of each entry; entries are sorted by bytes. */
export function openVocabulary(ends: Uint32Array, bytes: Buffer): Vocabulary {
  let lookups = 0
  let all: Shelves | undefined
  let longest: number | undefined
  const find = (kind: keyof Shelves, text: string): number => {
    if (all === undefined && lookups++ < SINGLE_LOOKUPS) return findEntry(ends, bytes, Buffer.from(BEFORE[kind] + text))
    return (all ??= toShelves(ends, bytes))[kind].get(text) ?? -1
  }
  return {
    word(text) {
      const row = find('plain', text)
      return row >= 0 ? row : find('whole', text)
    },
    piece: (text, isFirst) => find(isFirst ? 'plain' : 'inner', text),
    longestPiece: () => (longest ??= longestOf(ends, bytes)),
    phrases: () => findPhrases(ends, bytes),
  }
}

type Shelves = Readonly<Record<'plain' | 'whole' | 'inner', Map<string, number>>>

/**
 * Prefixes of each kind of entry. Words that the teacher would cut into pieces have a space before them: they never
 * match the beginning of a longer word.
 */
const BEFORE = { plain: '', whole: ' ', inner: '##' } as const

function toShelves(ends: Uint32Array, bytes: Buffer): Shelves {
  const shelves: Shelves = { plain: new Map(), whole: new Map(), inner: new Map() }
  for (let row = 0, start = 0; row < ends.length; start = ends[row++]!) {
    const entry = bytes.toString('utf8', start, ends[row])
    shelves.plain.set(entry, row)
    if (entry.startsWith(' ')) shelves.whole.set(entry.slice(1), row)
    else if (entry.startsWith('##')) shelves.inner.set(entry.slice(2), row)
  }
  return shelves
}

const SPACE = 0x20

/** Length of the longest entry in bytes, which is at least its number of letters. */
function longestOf(ends: Uint32Array, bytes: Buffer): number {
  let longest = 0
  for (let row = 0, start = 0; row < ends.length; start = ends[row++]!)
    if (bytes[start] !== SPACE) longest = Math.max(longest, ends[row]! - start)
  return longest
}

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

/** Phrases are stored after two spaces and sort before everything else. */
function findPhrases(ends: Uint32Array, bytes: Buffer): Map<string, number> {
  const phrases = new Map<string, number>()
  for (let row = 0, start = 0; row < ends.length; start = ends[row++] as number) {
    const entry = bytes.toString('utf8', start, ends[row])
    if (!entry.startsWith('  ')) break
    phrases.set(entry.slice(2), row)
  }
  return phrases
}
