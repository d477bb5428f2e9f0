import { describe, expect, test } from 'vitest'
import { indexTokens } from '../../retrieval/domain/ranking/bm25.ts'
import type { DecisionCorpus } from './find-by-words.ts'
import { measureLine, sampleOf } from './record-line.ts'

const corpusOf = (size: number): DecisionCorpus => {
  const words = Array.from({ length: size }, (_, i) => [`word${i}`])
  return {
    entries: words.map(([word]) => ({ stem: word }) as DecisionCorpus['entries'][number]),
    text: indexTokens(words),
    reasons: indexTokens(words.map(() => [])),
    names: indexTokens([]),
  }
}

/** The line of a record whose decisions all have the pairwise cosine `cosine`. */
const lineAt = (size: number, cosine: number) => {
  const corpus = corpusOf(size)
  const statements = corpus.entries.map((_, index) => ({ index, text: 'other' }))
  return measureLine(corpus, statements, async () => ({
    cosines: new Float32Array(size).fill(cosine),
    scale: { noise: 0.3, strong: 0.75 },
    generality: 0,
  }))
}

describe('the line of a record', () => {
  test('is higher the nearer its decisions are to each other', async () => {
    expect(await lineAt(40, 0.4)).toBeGreaterThan(await lineAt(40, 0.3))
  })

  test('stays near the default for few decisions', async () => {
    const rise = async (size: number) => (await lineAt(size, 0.39)) - (await lineAt(size, 0.32))
    expect(await rise(3)).toBeLessThan(await rise(100))
  })

  test('is capped if decisions repeat each other', async () => {
    expect(await lineAt(100, 0.95)).toBe(await lineAt(100, 0.8))
  })

  test('is the default for one decision, and higher for two', async () => {
    expect(await lineAt(1, 0.9)).toBeCloseTo(0.257)
    expect(await lineAt(2, 0.9)).toBeGreaterThan(await lineAt(1, 0.9))
  })
})

test('a large record is measured with a sample that one more decision hardly changes', () => {
  const [before, after] = [sampleOf(corpusOf(3000)), new Set(sampleOf(corpusOf(3001)))]
  expect(before).toHaveLength(250)
  expect(before.filter((index) => !after.has(index)).length).toBeLessThanOrEqual(1)
})
