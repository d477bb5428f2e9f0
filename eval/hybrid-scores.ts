import { decisionTokens } from '../src/kernel/domain/text/decision-tokens.ts'
import { stem } from '../src/kernel/domain/text/stem.ts'
import { coverage, indexTokens } from '../src/retrieval/domain/ranking/bm25.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import type { LabelledPart } from './labelled-sets.ts'

export interface HybridScores {
  /** How much of the query each document covers, 0 to 1. */
  lexical(query: string): number[]
  /** The cosine of each document's best chunk; `power` weights rare words of the query. */
  cosines(query: string, power: number): Promise<number[]>
}

const SATURATION = { k1: 1.2, b: 0.75 }

export async function scoreSet(set: LabelledPart, embedder: Embedder): Promise<HybridScores> {
  const index = indexTokens(set.documents.map(({ text }) => decisionTokens(text)))
  const owners = set.documents.flatMap(({ pieces }, document) => pieces.map(() => document))
  const chunks = await embedder.embed(
    set.documents.flatMap((document) => document.pieces),
    'document',
  )
  const docs = set.documents.map((_, i) => i)

  function rarity(word: string): number {
    const found = index.postings(stem(word))?.docs.length ?? 0
    return Math.log(1 + (index.size - found + 0.5) / (found + 0.5))
  }

  return {
    lexical: (query) => coverage(decisionTokens(query), index, { ...SATURATION, docs }),
    async cosines(query, power) {
      const [vector] = (await embedder.embed([query], 'query', (word) => rarity(word) ** power)) as [Float32Array]
      const best = docs.map(() => -1)
      chunks.forEach((chunk, i) => {
        const owner = owners[i] as number
        best[owner] = Math.max(best[owner] as number, dot(chunk, vector))
      })
      return best
    },
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d += 1) sum += (a[d] as number) * (b[d] as number)
  return sum
}
