import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { COVERAGE_WEIGHT } from '../../domain/ranking/hybrid-search.ts'
import { toUnitLength } from '../../domain/ranking/vector.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { defineEmbedder } from '../define-embedder.ts'
import { openModelFile } from './model-file.ts'
import { openRowReader, type ReadRows } from './read-rows.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The model that comes with Ken. */
export const bundled = defineEmbedder({
  name: 'bundled',
  sendsText: false,
  open: async ({ bundledModel }) => (existsSync(bundledModel) ? openStaticEmbedder(bundledModel) : undefined),
})

// Other work in the process runs between batches; a batch takes a few milliseconds.
const BATCH = 16

/**
 * Chosen on one half of the questions of LoCoMo and BEAM, and of questions about other conversations of the same set:
 * `npm run eval -- --only memory-verdicts` prints both halves.
 */
const HIT_LINES = { strong: 1.05, related: 0.8 } as const

/**
 * A table of word vectors: a text is the weighted sum of its words. Reads only the header before the first text, and
 * all rows for the first of many texts.
 */
export function openStaticEmbedder(modelPath: string, { forMany = false } = {}): Embedder {
  const model = openModelFile(modelPath, forMany)
  let words: Vocabulary | undefined
  let reader: ReadRows | undefined
  return {
    id: model.id,
    dimensions: model.dimensions,
    calibration: { ...model.calibration, weight: COVERAGE_WEIGHT, lines: HIT_LINES },
    elsewhere: {
      module: new URL(`./elsewhere.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url).href,
      path: modelPath,
    },
    async embed(texts, purpose, weigh) {
      reader ??= openRowReader((words ??= model.vocabulary()))
      const vectors: Float32Array[] = []
      for (const text of texts) {
        const { rows, weights } = reader(text, purpose === 'query' ? weigh : undefined)
        vectors.push(toUnitLength(model.sum(rows, weights)))
        if (vectors.length % BATCH === 0) await setImmediate()
      }
      return vectors
    },
    knows: (word) => (words ??= model.vocabulary()).word(word) >= 0,
    async close() {
      model.close()
    },
  }
}
