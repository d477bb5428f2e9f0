import { CHECK_STOP_WORDS, decisionTokens, STOP_WORDS } from '../../kernel/domain/text/decision-tokens.ts'
import { queryParts } from '../../kernel/domain/text/other-names.ts'
import { UNSPACED } from '../../kernel/domain/text/split-run.ts'
import { stem } from '../../kernel/domain/text/stem.ts'
import {
  type Bm25Corpus,
  coverage,
  scoreTokens,
  type WordEvidence,
  weighDocuments,
  frequency,
  idf,
  type Postings,
} from '../../retrieval/domain/ranking/bm25.ts'
import type { CatalogueEntry } from './decision/catalogue.ts'

/**
 * The decisions a query is ranked among, with indexes in the same order: first the decisions that the statistics cover,
 * then extra ones (superseded decisions in a corpus of active ones), both in catalogue order.
 */
export interface DecisionCorpus {
  readonly entries: readonly CatalogueEntry[]
  readonly text: Bm25Corpus
  /** Reasons of rejected alternatives: they find decisions by words missing from the text, and never change a score. */
  readonly reasons: Bm25Corpus
  /** Acronyms and unspaced scripts, which are missed by words alone; they never change a score either. */
  readonly names: NamesIndex
}

export interface WordQuery {
  readonly text: string
  readonly limit: number
  readonly extraLimit: number
  readonly check: boolean
  readonly allows: ((index: number) => boolean) | undefined
}

// On a corpus of 75 decisions every reason with at least this share of the query's weight was about the query; just
// below, matches by chance begin.
const TELLING_REASON = 0.19
/** Candidates of each kind. The right decision of a paraphrase was never further back among 10,000. */
export const CANDIDATES = 32

/** The candidates found by words, reasons and names, and a function that weighs any decision by them. */
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

/** Maps names of `kernel/domain/text/other-names.ts` to decisions. */
interface NamesIndex {
  postings(name: string): Postings | undefined
}

// Below this share of the query, the same initials or the same pair of characters may be chance.
const LEAST = 0.3

/**
 * The share of a query's weight that decisions cover under another name: an acronym for its expansion, the reverse, or
 * the pieces of an unspaced script. Contains only decisions that cover some.
 */
function coverageByNames(
  query: string,
  tokens: readonly string[],
  { text, names }: { text: Bm25Corpus; names: NamesIndex },
): Map<number, number> {
  const weigh = (found: Postings | undefined): number => idf(frequency(found, text.size), text.size)
  const met = queryParts(query).map((part) => ({ ...part, found: names.postings(part.name) }))
  const pieces = met.filter(({ words }) => words.length === 0)
  const words = new Set(tokens.filter((token) => !IS_UNSPACED.test(token)))
  const whole =
    [...words].reduce((sum, token) => sum + weigh(text.postings(token)), 0) +
    pieces.reduce((sum, { found }) => sum + weigh(found), 0)
  const covered = new Map<number, Set<string>>()
  for (const { name, words: spoken, found } of met) {
    for (const doc of found?.docs ?? []) {
      const set = covered.get(doc) ?? new Set()
      for (const key of spoken.length === 0 ? [`#${name}`] : spoken.map(stem)) set.add(key)
      covered.set(doc, set)
    }
  }
  const weights = new Map([
    ...[...words].map((token) => [token, weigh(text.postings(token))] as const),
    ...pieces.map(({ name, found }) => [`#${name}`, weigh(found)] as const),
  ])
  return new Map(
    [...covered]
      .map(
        ([doc, keys]) =>
          [doc, [...keys].reduce((sum, key) => sum + (weights.get(key) ?? 0), 0) / (whole || 1)] as const,
      )
      .filter(([, share]) => share >= LEAST),
  )
}

const IS_UNSPACED = new RegExp(UNSPACED, 'u')
