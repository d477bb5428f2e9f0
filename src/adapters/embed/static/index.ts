import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { COVERAGE_WEIGHT } from '../../../core/ranking/hybrid-search.ts'
import { toUnitLength } from '../../../core/ranking/vector.ts'
import type { Embedder } from '../../../ports/embedder.ts'
import { defineEmbedder } from '../define-embedder.ts'
import { openModelFile, type ModelFile } from './model-file.ts'
import { splitName, wordsOf } from './words.ts'

/** The model that comes with Ken. */
export const bundled = defineEmbedder({
  name: 'bundled',
  sendsText: false,
  open: async ({ bundledModel }) => (existsSync(bundledModel) ? openStaticEmbedder(bundledModel) : undefined),
})

// Other work of the process gets its turn between batches; one takes a few milliseconds.
const BATCH = 256
const REMEMBERED_WORDS = 50_000

/**
 * A table of word vectors: a text is the weighted sum of its words. Nothing but the header is read before the first
 * text.
 */
export function openStaticEmbedder(modelPath: string): Embedder {
  const model = openModelFile(modelPath)
  const tokensOf = rememberTokens(model)
  const phraseAt = findPhrase(model)
  return {
    id: model.id,
    dimensions: model.dimensions,
    calibration: { ...model.calibration, weight: COVERAGE_WEIGHT },
    async embed(texts, purpose, weigh) {
      const vectors: Float32Array[] = []
      const weight = purpose === 'query' ? weigh : undefined
      for (const text of texts) {
        vectors.push(embedText(text, model, { tokensOf, phraseAt, weight }))
        if (vectors.length % BATCH === 0) await setImmediate()
      }
      return vectors
    },
    knows: (word) => wholeWord(word, model) >= 0,
    async close() {
      model.close()
    },
  }
}

/** A word and the rows it is made of: one for a known word, several for its pieces, none for an unknown script. */
interface Token {
  readonly word: string
  readonly rows: readonly number[]
}

interface Reading {
  readonly tokensOf: (word: string) => readonly Token[]
  /** The longest phrase of the vocabulary that begins at a word: its row, and how many words it takes. */
  readonly phraseAt: (words: readonly string[], at: number) => { row: number; length: number } | undefined
  readonly weight: ((word: string) => number) | undefined
}

function embedText(text: string, model: ModelFile, { tokensOf, phraseAt, weight }: Reading): Float32Array {
  const sum = new Float32Array(model.dimensions)
  const words = wordsOf(text)
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at)
    const taken = words.slice(at, (at += phrase?.length ?? 1))
    const tokens = taken.flatMap(tokensOf)
    if (phrase !== undefined) {
      model.addRow(sum, phrase.row, weight ? Math.max(...tokens.map(({ word }) => weight(word))) : 1)
      continue
    }
    for (const { word, rows } of tokens) {
      const factor = weight ? weight(word) : 1
      for (const row of rows) model.addRow(sum, row, factor)
    }
  }
  return toUnitLength(sum)
}

const LONGEST_PHRASE = 3

function findPhrase(model: ModelFile): Reading['phraseAt'] {
  let known: { phrases: ReadonlyMap<string, number>; firstWords: ReadonlySet<string> } | undefined
  return (words, at) => {
    known ??= toLookUp(model.phrases())
    if (!known.firstWords.has(words[at]!.toLowerCase())) return undefined
    for (let length = LONGEST_PHRASE; length > 1; length--) {
      const row = known.phrases.get(
        words
          .slice(at, at + length)
          .join(' ')
          .toLowerCase(),
      )
      if (row !== undefined) return { row, length }
    }
    return undefined
  }
}

const toLookUp = (phrases: ReadonlyMap<string, number>) => ({
  phrases,
  firstWords: new Set(Array.from(phrases.keys(), (phrase) => phrase.split(' ', 1)[0]!)),
})

function rememberTokens(model: ModelFile): Reading['tokensOf'] {
  const known = new Map<string, readonly Token[]>()
  return (surface) => {
    const found = known.get(surface)
    if (found) return found
    if (known.size >= REMEMBERED_WORDS) known.clear()
    const tokens = tokenise(surface, model)
    known.set(surface, tokens)
    return tokens
  }
}

/** Whole words first, then the parts of a name, then word pieces. */
function tokenise(surface: string, model: ModelFile): readonly Token[] {
  const word = surface.toLowerCase()
  const whole = wholeWord(word, model)
  if (whole >= 0) return [{ word, rows: [whole] }]
  const parts = splitName(surface)
  if (parts.length < 2) return [{ word, rows: wordPieces(word, model) }]
  return parts.map((part) => {
    const row = wholeWord(part, model)
    return { word: part, rows: row >= 0 ? [row] : wordPieces(part, model) }
  })
}

/**
 * Words that the teacher would cut into pieces are stored behind a space: they never match the beginning of a longer
 * word.
 */
function wholeWord(word: string, model: ModelFile): number {
  const row = model.find(word)
  return row >= 0 ? row : model.find(` ${word}`)
}

/** Greedy longest match, as WordPiece does it; a word with any unknown piece has no rows at all. */
function wordPieces(word: string, model: ModelFile): readonly number[] {
  const rows: number[] = []
  const letters = [...word]
  if (letters.length > 100) return rows
  for (let start = 0; start < letters.length;) {
    let end = letters.length
    let row = -1
    for (; end > start && row < 0; end -= 1)
      row = model.find((start > 0 ? '##' : '') + letters.slice(start, end).join(''))
    if (row < 0) return []
    rows.push(row)
    start = end + 1
  }
  return rows
}
