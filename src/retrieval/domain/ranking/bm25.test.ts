import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECK_STOP_WORDS, decisionTokens, STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { coverage, indexTokens, rankBm25, scoreTokens, weighDocuments } from './bm25.ts'
import { selectBest } from './select-best.ts'

const golden = <T>(name: string): T[] =>
  (
    JSON.parse(readFileSync(new URL(`../../../../test/fixtures/golden/${name}.json`, import.meta.url), 'utf8')) as {
      cases: T[]
    }
  ).cases

interface CorpusCase {
  name: string
  expected: { num: number; title: string; status: string; index_text: string; tokens_en: string[] }
}
interface ScoreCase {
  name: string
  input: { query: string; top_k: number }
  expected: { stopwords_en: Ranked; stopwords_en_plus_use: Ranked }
}
interface CheckCase {
  name: string
  input: { proposed_approach: string; context: string | null }
  expected: { ranked: Ranked }
}
type Ranked = [number: number, score: number][]

const corpus = golden<CorpusCase>('bm25-corpus').map(({ expected }) => expected)
const active = corpus.filter(({ status }) => status === 'active')

describe('against the golden corpus', () => {
  test.each(corpus.map((decision) => [decision.num, decision] as const))(
    'decision %i has the golden tokens',
    (_num, decision) => {
      expect(decisionTokens(decision.index_text, STOP_WORDS)).toEqual(decision.tokens_en)
    },
  )

  const cases = golden<ScoreCase>('bm25-scores')
  test.each(cases.map((c) => [c.name, c] as const))('%s', (_name, { input, expected }) => {
    expectRanking(rank(active, input.query, { limit: input.top_k, stopWords: STOP_WORDS }), expected.stopwords_en)
    expectRanking(
      rank(active, input.query, { limit: input.top_k, stopWords: CHECK_STOP_WORDS }),
      expected.stopwords_en_plus_use,
    )
  })

  const checked = active.filter(({ num, title }) => !(num === 1 && title === 'Initial project setup'))
  test.each(golden<CheckCase>('check-facts').map((c) => [c.name, c] as const))('%s', (_name, { input, expected }) => {
    const whole = input.context === null ? input.proposed_approach : `${input.proposed_approach} ${input.context}`
    const query = `${firstCharacters(input.proposed_approach, 100)}. ${firstCharacters(whole, 200)}`
    expectRanking(rank(checked, query, { limit: 5, stopWords: CHECK_STOP_WORDS }), expected.ranked)
  })
})

describe('ranking', () => {
  test('returns no hits for texts or queries without a single word', () => {
    expect(rankBm25([], 'cache')).toEqual([])
    expect(rankBm25(['', '— … !', 'a the'], 'cache')).toEqual([])
    expect(rankBm25(['cache hot reads'], '')).toEqual([])
    expect(rankBm25(['cache hot reads'], 'the of a')).toEqual([])
  })

  test('equal scores are in the order of the texts', () => {
    const texts = ['redis cache', 'other words', 'redis cache', 'redis cache']
    expect(rankBm25(texts, 'redis', { limit: 2 }).map(({ index }) => index)).toEqual([0, 2])
  })

  test('a repeated query word raises the score but not the coverage', () => {
    const [once] = rankBm25(['redis cache', 'postgres'], 'redis')
    const [twice] = rankBm25(['redis cache', 'postgres'], 'redis redis')
    expect(twice!.score).toBeCloseTo(2 * once!.score, 2)
    expect(twice!.coverage).toBe(once!.coverage)
  })

  test('coverage falls when the query has more terms than the text', () => {
    const [narrow] = rankBm25(['redis cache', 'postgres'], 'redis')
    const [wide] = rankBm25(['redis cache', 'postgres'], 'redis kubernetes')
    expect(wide!.coverage).toBeLessThan(narrow!.coverage)
    expect(wide!.score).toBe(narrow!.score)
  })

  test('documents that the corpus excludes are not returned and do not count towards the limit', () => {
    const documents = indexTokens([['redis'], ['redis'], ['redis', 'cache']])
    const hits = scoreTokens(['redis'], { ...documents, allows: (doc) => doc !== 0 }, { limit: 2 })
    expect(hits.map(({ index }) => index)).toEqual([1, 2])
  })

  test('extra documents are scored by the statistics of the others and returned after them', () => {
    const counted = [['redis', 'cache'], ['queue']]
    const alone = indexTokens(counted)
    const both = indexTokens([...counted, ['redis'], ['redis', 'queue', 'cache']], 2)
    const tokens = ['redis', 'queue']
    const hits = scoreTokens(tokens, both, { extraLimit: 1 })
    expect(hits.slice(0, 2)).toEqual(scoreTokens(tokens, alone))
    expect(hits).toHaveLength(3)
    expect(hits[2]!.index).toBeGreaterThanOrEqual(2)
    expect(scoreTokens(tokens, both)).toEqual(scoreTokens(tokens, alone))
  })

  test('presence is the share of the query in words that a document has, regardless of its length', () => {
    const documents = indexTokens([['redis'], ['redis', ...Array<string>(50).fill('other')], ['other'], ['queue']])
    const [short, long, none] = weighDocuments(['redis', 'queue'], documents, { docs: [0, 1, 2] })
    expect(short!.presence).toBeGreaterThan(0.2)
    expect(short!.presence).toBeLessThan(0.8)
    expect(long!.presence).toBe(short!.presence)
    expect(long!.coverage).toBeLessThan(short!.coverage)
    expect(none).toMatchObject({ presence: 0, coverage: 0, score: 0 })
  })
})

const word = fc.constantFrom('redis', 'cache', 'queue', 'kafka', 'index', 'shard', 'token')
const words = fc.array(word, { maxLength: 12 })

test('coverage is between 0 and 1, and positive exactly for hits', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), words, (documents, query) => {
      const index = indexTokens(documents)
      const hits = new Map(scoreTokens(query, index).map((hit) => [hit.index, hit.coverage]))
      const all = coverage(query, index, { docs: documents.map((_tokens, doc) => doc) })
      all.forEach((share, doc) => {
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
        expect(hits.get(doc) ?? 0).toBe(share)
      })
    }),
  )
})

test('the best few are the same as in a full sort', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2, max: 6 })), fc.integer({ min: 0, max: 8 }), (values, limit) => {
      const scores = Float32Array.from(values)
      const sorted = values
        .map((score, index) => ({ score, index }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score || a.index - b.index)
      expect(selectBest(scores, limit)).toEqual(sorted.slice(0, limit).map(({ index }) => index))
    }),
  )
})

function rank(decisions: typeof corpus, query: string, options: Parameters<typeof rankBm25>[2]): Ranked {
  const hits = rankBm25(
    decisions.map(({ index_text }) => index_text),
    query,
    options,
  )
  return hits.map(({ index, score }) => [decisions[index]!.num, score])
}

/** Which of several decisions with equal scores survives the cut is unspecified; the scores are not. */
function expectRanking(actual: Ranked, expected: Ranked): void {
  expect(actual.map(([, score]) => score)).toEqual(expected.map(([, score]) => score))
  const last = expected.at(-1)?.[1]
  const above = (ranked: Ranked) =>
    ranked.filter(([, score]) => score !== last).toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
  expect(above(actual)).toEqual(above(expected))
  for (const [num, score] of actual) {
    if (expected.some(([, other]) => other === score && score !== last)) expect(expected).toContainEqual([num, score])
  }
}

const firstCharacters = (text: string, count: number) => [...text].slice(0, count).join('')
