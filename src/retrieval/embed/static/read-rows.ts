import type { Vocabulary } from './vocabulary.ts'
import { openWordTable } from './word-table.ts'
import { spellWords, splitName, wordsOf } from './words.ts'

/** The rows that a text is the sum of, in order, with their weights if words are weighed. */
export type ReadRows = (text: string, weigh?: (word: string) => number) => { rows: number[]; weights?: number[] }

// A repository has about ten thousand different words; each cached one takes about 80 bytes. Long ones count as
// several, or a file of keys and hashes would fill memory.
const REMEMBERED_WORDS = 131_072
const REMEMBERED_UNITS = 16 * REMEMBERED_WORDS

export function openRowReader(vocabulary: Vocabulary): ReadRows {
  const known = rememberWords(vocabulary)
  return (text, weigh) => {
    const words = known.read(text)
    const surfaces = weigh && wordsOf(text)
    const rows: number[] = []
    const weights: number[] = []
    for (let at = 0; at < words.length;) {
      const phrase = known.phraseAt(words, at)
      const after = at + (phrase?.length ?? 1)
      if (phrase !== undefined) rows.push(phrase.row)
      else known.addRows(words[at]!, rows)
      if (weigh !== undefined) {
        const tokens = surfaces!.slice(at, after).flatMap((surface) => tokenise(surface, vocabulary))
        if (phrase !== undefined) weights.push(Math.max(...tokens.map(({ word }) => weigh(word))))
        else for (const { word, rows: own } of tokens) weights.push(...own.map(() => weigh(word)))
      }
      at = after
    }
    return weigh === undefined ? { rows } : { rows, weights }
  }
}

/** Words by number, with their rows, cached between texts. */
function rememberWords(vocabulary: Vocabulary) {
  const tree = toTree(vocabulary.phrases())
  let rowsOfAll: number[] = []
  let ends: number[] = []
  let inPhrases: number[] = []
  const table = openWordTable((surface) => {
    for (const { rows } of tokenise(surface, vocabulary)) rowsOfAll.push(...rows)
    ends.push(rowsOfAll.length)
    inPhrases.push(tree.words.get(surface.toLowerCase()) ?? -1)
  })

  function forget(): void {
    table.clear()
    rowsOfAll = []
    ends = []
    inPhrases = []
  }

  return {
    /** Numbers of the words in a text, valid until the next text is read. */
    read(text: string): number[] {
      if (table.size > REMEMBERED_WORDS || table.units > REMEMBERED_UNITS) forget()
      const words: number[] = []
      spellWords(text, { push: table.push, end: () => words.push(table.take()) })
      return words
    },
    addRows(word: number, rows: number[]): void {
      for (let i = word === 0 ? 0 : ends[word - 1]!; i < ends[word]!; i++) rows.push(rowsOfAll[i]!)
    },
    /** The longest phrase that begins at a word: its row and its length in words. */
    phraseAt(words: readonly number[], at: number): { row: number; length: number } | undefined {
      let node = tree.root.next.get(inPhrases[words[at]!]!)
      let found: { row: number; length: number } | undefined
      for (let length = 2; node !== undefined && at + length <= words.length; length++) {
        node = node.next.get(inPhrases[words[at + length - 1]!]!)
        if (node !== undefined && node.row >= 0) found = { row: node.row, length }
      }
      return found
    },
  }
}

/** The continuations of a word in phrases, by word number; a phrase that ends here has a row. */
interface PhraseNode {
  row: number
  readonly next: Map<number, PhraseNode>
}

function toTree(phrases: ReadonlyMap<string, number>): { words: ReadonlyMap<string, number>; root: PhraseNode } {
  const words = new Map<string, number>()
  const root: PhraseNode = { row: -1, next: new Map() }
  for (const [phrase, row] of phrases) {
    let node = root
    for (const word of phrase.split(' ')) {
      if (!words.has(word)) words.set(word, words.size)
      const number = words.get(word)!
      let next = node.next.get(number)
      if (next === undefined) node.next.set(number, (next = { row: -1, next: new Map() }))
      node = next
    }
    node.row = row
  }
  return { words, root }
}

/** A word and its rows: one for a known word, several for its pieces, none for an unknown script. */
interface Token {
  readonly word: string
  readonly rows: readonly number[]
}

/** Whole words first, then the parts of a name, then word pieces. */
function tokenise(surface: string, vocabulary: Vocabulary): readonly Token[] {
  const word = surface.toLowerCase()
  const whole = vocabulary.word(word)
  if (whole >= 0) return [{ word, rows: [whole] }]
  const parts = splitName(surface)
  if (parts.length < 2) return [{ word, rows: wordPieces(word, vocabulary) }]
  return parts.map((part) => {
    const row = vocabulary.word(part)
    return { word: part, rows: row >= 0 ? [row] : wordPieces(part, vocabulary) }
  })
}

const LONGEST_IN_PIECES = 100

/** Greedy longest match, as in WordPiece; a word with any unknown piece has no rows at all. */
function wordPieces(word: string, vocabulary: Vocabulary): readonly number[] {
  const rows: number[] = []
  const letters = SURROGATE.test(word) ? [...word] : word
  if (letters.length > LONGEST_IN_PIECES) return rows
  const longest = vocabulary.longestPiece()
  for (let start = 0; start < letters.length;) {
    let end = Math.min(letters.length, start + longest)
    let row = -1
    for (; end > start && row < 0; end -= 1) row = vocabulary.piece(spell(letters, start, end), start === 0)
    if (row < 0) return []
    rows.push(row)
    start = end + 1
  }
  return rows
}

const SURROGATE = /[\ud800-\udfff]/
const spell = (letters: string | readonly string[], start: number, end: number): string =>
  typeof letters === 'string' ? letters.slice(start, end) : letters.slice(start, end).join('')
