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
  return {
    id: model.id,
    dimensions: model.dimensions,
    calibration: { ...model.calibration, weight: COVERAGE_WEIGHT },
    async embed(texts, purpose, weigh) {
      const vectors: Float32Array[] = []
      const weight = purpose === 'query' ? weigh : undefined
      for (const text of texts) {
        vectors.push(embedText(text, model, { tokensOf, weight }))
        if (vectors.length % BATCH === 0) await setImmediate()
      }
      return vectors
    },
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

type Reading = { tokensOf: (word: string) => readonly Token[]; weight: ((word: string) => number) | undefined }

function embedText(text: string, model: ModelFile, { tokensOf, weight }: Reading): Float32Array {
  const sum = new Float32Array(model.dimensions)
  for (const surface of wordsOf(text)) {
    for (const { word, rows } of tokensOf(surface)) {
      const factor = weight ? weight(word) : 1
      for (const row of rows) model.addRow(sum, row, factor)
    }
  }
  return toUnitLength(sum)
}

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
