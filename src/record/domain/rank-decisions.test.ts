import { describe, expect, test } from 'vitest'
import { indexTokens } from '../../retrieval/domain/ranking/bm25.ts'
import type { DecisionCorpus } from './find-by-words.ts'
import { rankDecisions } from './rank-decisions.ts'

const words = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${letter}${String.fromCharCode(97 + i)}${letter}`)

/** Twenty decisions; only the first has matching reasons, with `shared` of the query's `asked` words. */
async function coveredBy(shared: number, asked: number) {
  const query = words('q', asked)
  const corpus: DecisionCorpus = {
    entries: Array.from({ length: 20 }, (_, i) => ({ stem: `${i}` }) as DecisionCorpus['entries'][number]),
    names: indexTokens([]),
    text: indexTokens(Array.from({ length: 20 }, () => ['other'])),
    // Repeated often enough that a shared word has nearly its full weight.
    reasons: indexTokens(
      Array.from({ length: 20 }, (_, i) =>
        i === 0 ? query.slice(0, shared).flatMap((w) => Array(500).fill(w)) : ['other'],
      ),
    ),
  }
  return (await rankDecisions(corpus, { text: query.join(' '), limit: 5, check: false })).hits
}

describe('the reasons of rejected alternatives', () => {
  test('match a decision when they cover enough of the question to be about it', async () => {
    const hits = await coveredBy(4, 15)
    expect(hits[0]!.coverage).toBeCloseTo(0.195, 3)
    expect(hits.map(({ entry }) => entry.stem)).toEqual(['0'])
  })

  test('match nothing if the overlap may be due to chance', async () => {
    expect(await coveredBy(4, 16)).toEqual([])
  })
})
