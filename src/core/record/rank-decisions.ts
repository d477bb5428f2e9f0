import type { CatalogueEntry } from '../decision/catalogue.ts'
import { idf, coverage, scoreTokens, type Bm25Corpus } from '../ranking/bm25.ts'
import { CHECK_STOP_WORDS, decisionTokens, STOP_WORDS } from '../text/decision-tokens.ts'
import { stem } from '../text/stem.ts'

/** The decisions a query is ranked among, in catalogue order, with both indexes over them in the same order. */
export interface DecisionCorpus {
  readonly entries: readonly CatalogueEntry[]
  readonly text: Bm25Corpus
  /** Reasons of rejected alternatives: they find what the text does not say, and never change a score. */
  readonly reasons: Bm25Corpus
}

export interface DecisionQuery {
  readonly text: string
  readonly limit: number
  readonly check: boolean
  readonly where?: (entry: CatalogueEntry) => boolean
}

export interface SemanticQuery {
  readonly text: string
  /** How telling a word is in this corpus, 0 to 1. */
  weigh(word: string): number
  allows(index: number): boolean
  readonly limit: number
  /** Found already; their cosines are wanted, and they take no place among the nearest. */
  readonly hits: readonly number[]
}

export interface SemanticHits {
  /** Cosines of the asked hits, in their order; undefined where one has no vector yet. */
  readonly cosines: readonly (number | undefined)[]
  /** Other decisions near enough to mean something, best first. */
  readonly nearest: readonly { readonly index: number; readonly cosine: number }[]
}

export interface DecisionHit {
  readonly entry: CatalogueEntry
  readonly score: number
  readonly coverage: number
  readonly cosine: number | null
}

export type Stage = 'lexical' | 'reasons' | 'semantic'

// On a corpus of 75 decisions every reason from this share of the query's weight on was about the query; just below,
// agreement by chance begins.
const TELLING_REASON = 0.19

/**
 * BM25 hits first, in their order; then what only a reason or its meaning brought up, by cosine. `semantic` may
 * fail: the words still answer.
 */
export async function rankDecisions(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  semantic?: (question: SemanticQuery) => Promise<SemanticHits | undefined>,
): Promise<{ hits: DecisionHit[]; stages: Stage[] }> {
  const { entries } = corpus
  const tokens = decisionTokens(query.text, stopWords(query.check))
  const allows = query.where === undefined ? () => true : (index: number) => query.where!(entries[index]!)
  const lexical = scoreTokens(tokens, { ...corpus.text, allows }, { limit: query.limit })
  const found = new Set(lexical.map(({ index }) => index))
  const byReason = scoreTokens(tokens, { ...corpus.reasons, allows }, { limit: query.limit + lexical.length })
    .filter((hit) => !found.has(hit.index) && hit.coverage >= TELLING_REASON)
    .slice(0, query.limit)
  const asked = [...lexical, ...byReason].map(({ index }) => index)
  const answer = await semantic?.({
    text: query.text,
    weigh: weigher(corpus.text, query.check),
    allows,
    limit: query.limit,
    hits: asked,
  }).catch(() => undefined)

  const only = new Map(
    byReason.map(({ index, coverage }, i) => [
      index,
      { coverage, cosine: answer?.cosines[lexical.length + i] ?? null },
    ]),
  )
  for (const { index, cosine } of answer?.nearest ?? []) only.set(index, { coverage: 0, cosine })
  const extra = [...only.keys()]
  const covered = coverage(tokens, corpus.text, { docs: extra })
  const others = extra.map((index, i): DecisionHit => {
    const { coverage, cosine } = only.get(index)!
    return { entry: entries[index]!, score: 0, coverage: Math.max(coverage, covered[i]!), cosine }
  })
  const hits = [
    ...lexical.map(({ index, score, coverage }, i): DecisionHit => ({
      entry: entries[index]!,
      score,
      coverage,
      cosine: answer?.cosines[i] ?? null,
    })),
    ...others.sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1) || b.coverage - a.coverage),
  ]
  return { hits, stages: answer === undefined ? ['lexical', 'reasons'] : ['lexical', 'reasons', 'semantic'] }
}

export const stopWords = (check: boolean): ReadonlySet<string> => (check ? CHECK_STOP_WORDS : STOP_WORDS)

/** The root of the normalised idf: full for a word no decision has, next to nothing for one that all have. */
function weigher(corpus: Bm25Corpus, check: boolean): (word: string) => number {
  const words = stopWords(check)
  const most = idf(0, corpus.size)
  return (word) => {
    const lower = word.toLowerCase()
    const found = words.has(lower) ? corpus.size : (corpus.postings(stem(lower))?.docs.length ?? 0)
    return Math.sqrt(idf(found, corpus.size) / most)
  }
}
