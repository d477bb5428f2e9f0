import type { CatalogueEntry } from '../decision/catalogue.ts'
import { type Bm25Corpus, coverage, scoreTokens, type WordEvidence, weighDocuments } from '../ranking/bm25.ts'
import { CHECK_STOP_WORDS, decisionTokens, STOP_WORDS } from '../text/decision-tokens.ts'
import { coverageByNames, type NamesIndex } from './names-index.ts'

/**
 * The decisions a query is ranked among, with the indexes over them in the same order: those of the statistics in
 * catalogue order, then extra ones (superseded decisions of a corpus of active ones), in that order too.
 */
export interface DecisionCorpus {
  readonly entries: readonly CatalogueEntry[]
  readonly text: Bm25Corpus
  /** Reasons of rejected alternatives: they find what the text does not say, and never change a score. */
  readonly reasons: Bm25Corpus
  /** Acronyms and unspaced scripts, which words alone miss; they never change a score either. */
  readonly names: NamesIndex
}

export interface WordQuery {
  readonly text: string
  readonly limit: number
  readonly extraLimit: number
  readonly check: boolean
  readonly allows: ((index: number) => boolean) | undefined
}

// On a corpus of 75 decisions every reason from this share of the query's weight on was about the query; just below,
// agreement by chance begins.
const TELLING_REASON = 0.19
/** Candidates of each kind. The right decision of a paraphrase was never further back among 10,000. */
export const CANDIDATES = 32

/** The candidates that words, reasons and names bring up, and how to weigh any decision by them. */
export function findByWords({ text, reasons, names }: DecisionCorpus, query: WordQuery) {
  const tokens = decisionTokens(query.text, stopWords(query.check))
  const { allows, extraLimit } = query
  const allowed = allows && { allows }
  const limit = Math.max(query.limit, CANDIDATES)
  const lexical = scoreTokens(tokens, { ...text, ...allowed }, { limit, extraLimit }).map(({ index }) => index)
  const named = coverageByNames(query.text, tokens, { text, names })
  const known = new Set(lexical)
  const byReason = scoreTokens(tokens, { ...reasons, ...allowed }, { limit: CANDIDATES + lexical.length })
    .filter((hit) => !known.has(hit.index) && hit.coverage >= TELLING_REASON)
    .slice(0, CANDIDATES)
  const besides = new Map(byReason.map(({ index, coverage }) => [index, coverage]))
  for (const [index, share] of named)
    if (!known.has(index) && index < text.size && allows?.(index) !== false)
      besides.set(index, Math.max(share, besides.get(index) ?? 0))

  return {
    lexical: lexical.filter((index) => index < text.size),
    besides: [...besides.keys()].sort((a, b) => besides.get(b)! - besides.get(a)! || a - b).slice(0, CANDIDATES),
    extra: lexical.filter((index) => index >= text.size),
    evidenceOf(docs: readonly number[]): WordEvidence[] {
      const byWords = weighDocuments(tokens, text, { docs })
      const reasoned = coverage(tokens, reasons, { docs })
      return docs.map((doc, i) => ({
        ...byWords[i]!,
        coverage: Math.max(
          byWords[i]!.coverage,
          reasoned[i]! >= TELLING_REASON ? reasoned[i]! : 0,
          named.get(doc) ?? 0,
        ),
      }))
    },
  }
}

export const stopWords = (check: boolean): ReadonlySet<string> => (check ? CHECK_STOP_WORDS : STOP_WORDS)
