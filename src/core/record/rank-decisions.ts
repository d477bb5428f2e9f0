import type { CatalogueEntry } from '../decision/catalogue.ts'
import { type Bm25Corpus, coverage, idf, scoreTokens, type WordEvidence, weighDocuments } from '../ranking/bm25.ts'
import { type Evidence, type Verdict, atLeast, byVerdict, relevanceOf, verdictOf } from '../ranking/verdict.ts'
import { CHECK_STOP_WORDS, decisionTokens, STOP_WORDS } from '../text/decision-tokens.ts'
import { stem } from '../text/stem.ts'
import { chanceOf } from './everyday-proposals.ts'
import { coverageByNames, type NamesIndex } from './names-index.ts'

/** The decisions a query is ranked among, in catalogue order, with the indexes over them in the same order. */
export interface DecisionCorpus {
  readonly entries: readonly CatalogueEntry[]
  readonly text: Bm25Corpus
  /** Reasons of rejected alternatives: they find what the text does not say, and never change a score. */
  readonly reasons: Bm25Corpus
  /** Acronyms and unspaced scripts, which words alone miss; they never change a score either. */
  readonly names: NamesIndex
}

export interface DecisionQuery {
  /** What the words are taken from. */
  readonly text: string
  /** What the meaning is taken from; the same text where nothing else is given. */
  readonly meaning?: string
  readonly limit: number
  readonly check: boolean
  readonly where?: (entry: CatalogueEntry) => boolean
}

export interface SemanticQuery {
  readonly text: string
  /** How telling a word is in this corpus, 0 to 1. */
  weigh(word: string): number
  /** Undefined: all of them. */
  readonly allows: ((index: number) => boolean) | undefined
  readonly limit: number
  /** Found already; their cosines are wanted, and they take no place among the nearest. */
  readonly hits: readonly number[]
}

export interface SemanticHits {
  /** Cosines of the asked hits, in their order; undefined where one has no vector yet. */
  readonly cosines: readonly (number | undefined)[]
  /** Other decisions near enough to mean something, best first. */
  readonly nearest: readonly { readonly index: number; readonly cosine: number }[]
  /** What a cosine of this embedder is worth: one that is chance, and one that is certain. */
  readonly scale: { readonly noise: number; readonly strong: number }
  /** Best cosines of this record to each of EVERYDAY_PROPOSALS. */
  readonly everyday: readonly number[]
}

export interface DecisionHit extends Evidence {
  readonly entry: CatalogueEntry
  readonly score: number
  readonly relevance: number
  readonly verdict: Verdict
}

export type Stage = 'lexical' | 'reasons' | 'semantic'

// On a corpus of 75 decisions every reason from this share of the query's weight on was about the query; just below,
// agreement by chance begins.
const TELLING_REASON = 0.19
// Candidates of each kind. The right decision of a paraphrase was never further back among 10,000.
const CANDIDATES = 32
// A search for words that are there must not come back empty because the text is long.
const MOST_OF_THE_WORDS = 0.6

/**
 * With an embedder: the most relevant decisions, best first. Without one, or where it fails: BM25 hits in their order,
 * then what only a reason or a name brought up.
 */
export async function rankDecisions(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  semantic?: (question: SemanticQuery) => Promise<SemanticHits | undefined>,
): Promise<{ hits: DecisionHit[]; stages: Stage[] }> {
  const found = findByWords(corpus, query)
  const asked = [...found.lexical, ...found.besides]
  const answer = await semantic?.({
    text: query.meaning ?? query.text,
    weigh: weigher(corpus.text, query.check),
    allows: found.allows,
    limit: CANDIDATES,
    hits: asked,
  }).catch(() => undefined)
  if (answer === undefined)
    return {
      hits: [...found.lexical.slice(0, query.limit), ...found.besides.slice(0, query.limit)].map((index) =>
        toHit(corpus, query, { index, cosine: null, chance: 0, ...found.evidenceOf([index])[0]! }),
      ),
      stages: ['lexical', 'reasons'],
    }
  const cosines = new Map<number, number | undefined>([
    ...asked.map((index, i) => [index, answer.cosines[i]] as const),
    ...answer.nearest.map(({ index, cosine }) => [index, cosine] as const),
  ])
  const indexes = [...cosines.keys()]
  const evidence = found.evidenceOf(indexes)
  const chance = chanceOf(answer.everyday.map((cosine) => onScale(cosine, answer.scale)!))
  const hits = indexes.map((index, i) =>
    toHit(corpus, query, { index, cosine: onScale(cosines.get(index), answer.scale), chance, ...evidence[i]! }),
  )
  return {
    hits: hits
      .sort((a, b) => byVerdict(a.verdict, b.verdict) || b.relevance - a.relevance || b.score - a.score)
      .slice(0, query.limit),
    stages: ['lexical', 'reasons', 'semantic'],
  }
}

/** The candidates that words, reasons and names bring up, and how to weigh any decision by them. */
function findByWords(corpus: DecisionCorpus, query: DecisionQuery) {
  const { entries, text, reasons } = corpus
  const tokens = decisionTokens(query.text, stopWords(query.check))
  const { where } = query
  const allows = where && ((index: number) => where(entries[index]!))
  const allowed = allows && { allows }
  const byText = scoreTokens(tokens, { ...text, ...allowed }, { limit: Math.max(query.limit, CANDIDATES) })
  const named = coverageByNames(query.text, tokens, { text, names: corpus.names })
  const lexical = byText.map(({ index }) => index)
  const known = new Set(lexical)
  const byReason = scoreTokens(tokens, { ...reasons, ...allowed }, { limit: CANDIDATES + lexical.length })
    .filter((hit) => !known.has(hit.index) && hit.coverage >= TELLING_REASON)
    .slice(0, CANDIDATES)
  const besides = new Map(byReason.map(({ index, coverage }) => [index, coverage]))
  for (const [index, share] of named)
    if (!known.has(index) && allows?.(index) !== false) besides.set(index, Math.max(share, besides.get(index) ?? 0))

  return {
    allows,
    lexical,
    besides: [...besides.keys()].sort((a, b) => besides.get(b)! - besides.get(a)! || a - b).slice(0, CANDIDATES),
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

function toHit(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  {
    index,
    cosine,
    chance,
    score,
    coverage,
    presence,
  }: WordEvidence & {
    index: number
    cosine: number | null
    chance: number
  },
): DecisionHit {
  const evidence = { coverage, cosine }
  const verdict = verdictOf(evidence, chance)
  return {
    entry: corpus.entries[index]!,
    score,
    ...evidence,
    relevance: relevanceOf(evidence, chance),
    verdict: !query.check && presence >= MOST_OF_THE_WORDS ? atLeast('weak', verdict) : verdict,
  }
}

// What the bundled model calls chance and certain. Cosines of other models are brought to its scale, on which the
// verdicts were fitted.
const SCALE = { noise: 0.3, strong: 0.75 }

function onScale(cosine: number | undefined, { noise, strong }: SemanticHits['scale']): number | null {
  if (cosine === undefined) return null
  return SCALE.noise + ((cosine - noise) * (SCALE.strong - SCALE.noise)) / (strong - noise)
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
