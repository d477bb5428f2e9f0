import { stem } from '../../kernel/domain/text/stem.ts'
import {
  type Bm25Corpus,
  frequency,
  idf,
  selectInParts,
  type WordEvidence,
} from '../../retrieval/domain/ranking/bm25.ts'
import {
  type Evidence,
  type Verdict,
  type Yardstick,
  atLeast,
  byVerdict,
  relevanceOf,
  verdictOf,
} from '../../retrieval/domain/ranking/verdict.ts'
import type { CatalogueEntry } from './decision/catalogue.ts'
import { CANDIDATES, type DecisionCorpus, findByWords, stopWords } from './find-by-words.ts'

export interface DecisionQuery {
  /** Text that words are taken from. */
  readonly text: string
  /** Text that is embedded; defaults to `text`. */
  readonly meaning?: string
  readonly limit: number
  readonly check: boolean
  readonly where?: (entry: CatalogueEntry) => boolean
  /** Stems of decisions that are considered regardless of their rank. */
  readonly named?: ReadonlySet<string>
  /** Number of superseded decisions to return in addition to the active ones; none if undefined. */
  readonly superseded?: number
}

export interface SemanticQuery {
  readonly text: string
  /** How distinctive a word is in this corpus, 0 to 1. */
  weigh(word: string): number
  /** Positions of the decisions whose vectors are needed first. */
  readonly first: readonly number[]
}

/** The similarity of a query to every decision. */
export interface Meaning {
  /** By position in the corpus: the cosine to each decision (see `decisionVector`); NaN without a vector. */
  readonly cosines: Float32Array
  /** The range of this embedder's cosines: `noise` is chance, `strong` is certain. */
  readonly scale: { readonly noise: number; readonly strong: number }
  /** Mean cosine of the query to the nearest generic proposals. */
  readonly generality: number
}

export interface JudgedMeaning extends Meaning {
  /** This record's relevance line, from `measureLine`. */
  readonly line: number
}

export interface DecisionHit extends Evidence {
  readonly entry: CatalogueEntry
  readonly score: number
  readonly relevance: number
  readonly verdict: Verdict
}

/** A superseded decision with its successors, the direct one first. */
export interface SupersededHit extends DecisionHit {
  readonly successors: readonly DecisionHit[]
}

export type Stage = 'lexical' | 'reasons' | 'semantic'

export interface RankedDecisions {
  readonly hits: DecisionHit[]
  readonly named: DecisionHit[]
  readonly superseded: SupersededHit[]
  readonly stages: Stage[]
}

// A search for existing words must not return nothing because the text is long.
const MOST_OF_THE_WORDS = 0.6

/**
 * With an embedder: the most relevant decisions, best first. Without one, or if it fails: BM25 hits in their order,
 * then those found only by a reason or a name.
 */
export async function rankDecisions(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  semantic?: (question: SemanticQuery) => Promise<JudgedMeaning | undefined>,
): Promise<RankedDecisions> {
  const found = findCandidates(corpus, query)
  const meaning = await semantic?.(questionOf(corpus, query, found)).catch(() => undefined)
  const judge = (indexes: readonly number[]): DecisionHit[] => {
    const evidence = found.evidenceOf(indexes)
    return indexes.map((index, i) => toHit(corpus, query, { index, meaning, ...evidence[i]! }))
  }
  const { named = new Set<string>() } = query
  const places = named.size === 0 ? [] : corpus.entries.flatMap(({ stem }, i) => (named.has(stem) ? i : []))
  return {
    hits:
      meaning === undefined
        ? judge([...found.lexical.slice(0, query.limit), ...found.besides.slice(0, query.limit)])
        : judge([...new Set([...found.lexical, ...found.besides, ...nearest(corpus, meaning, found).active])])
            .sort(byRelevance)
            .slice(0, query.limit),
    named: judge(places),
    superseded: supersededHits(corpus, query, {
      judge,
      indexes:
        meaning === undefined ? found.extra : [...new Set([...found.extra, ...nearest(corpus, meaning, found).extra])],
    }),
    stages: meaning === undefined ? ['lexical', 'reasons'] : ['lexical', 'reasons', 'semantic'],
  }
}

/** The relevance of the best decision; undefined if no decision is a candidate. */
export async function bestRelevance(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  semantic: (question: SemanticQuery) => Promise<Meaning | undefined>,
): Promise<number | undefined> {
  const found = findCandidates(corpus, query)
  const meaning = await semantic(questionOf(corpus, query, found))
  if (meaning === undefined) return undefined
  const indexes = [...new Set([...found.lexical, ...found.besides, ...nearest(corpus, meaning, found).active])]
  const relevances = found
    .evidenceOf(indexes)
    .map(({ coverage }, i) => ({ coverage, cosine: onScale(meaning.cosines[indexes[i]!]!, meaning.scale) }))
    .filter(({ cosine }) => cosine !== null)
    .map((evidence) => relevanceOf(evidence, yardstickOf({ ...meaning, line: 0 })))
  return relevances.length === 0 ? undefined : Math.max(...relevances)
}

type Found = ReturnType<typeof findCandidates>

function findCandidates(corpus: DecisionCorpus, query: DecisionQuery) {
  const { where, superseded = 0 } = query
  const allows = where && ((index: number) => where(corpus.entries[index]!))
  return { ...findByWords(corpus, { ...query, allows, extraLimit: superseded }), allows, superseded }
}

const questionOf = (corpus: DecisionCorpus, query: DecisionQuery, found: Found): SemanticQuery => ({
  text: query.meaning ?? query.text,
  weigh: weigher(corpus.text, query.check),
  first: [...found.lexical, ...found.besides, ...found.extra],
})

/** Decisions similar enough for the cosine to be meaningful. */
function nearest(corpus: DecisionCorpus, { cosines, scale }: Meaning, { allows, superseded }: Found) {
  const { size } = corpus.text
  const near = selectInParts(
    cosines,
    { size, ...(allows && { allows }) },
    { limit: CANDIDATES, extraLimit: superseded },
  ).filter((index) => cosines[index]! > scale.noise)
  return { active: near.filter((index) => index < size), extra: near.filter((index) => index >= size) }
}

function supersededHits(
  { entries }: DecisionCorpus,
  { superseded = 0 }: DecisionQuery,
  { judge, indexes }: { judge: (indexes: readonly number[]) => DecisionHit[]; indexes: readonly number[] },
): SupersededHit[] {
  return judge(indexes)
    .sort(byRelevance)
    .slice(0, superseded)
    .map((hit) => ({ ...hit, successors: judge(successorsOf(entries, hit.entry)) }))
}

function successorsOf(entries: readonly CatalogueEntry[], first: CatalogueEntry): number[] {
  const found: number[] = []
  for (let next = first.superseded_by; next !== null;) {
    const num = Number(next)
    const index = entries.findIndex((entry) => entry.num === num)
    if (index < 0 || found.includes(index) || entries[index] === first) break
    found.push(index)
    next = entries[index]!.superseded_by
  }
  return found
}

function toHit(
  corpus: DecisionCorpus,
  query: DecisionQuery,
  { index, meaning, score, coverage, presence }: WordEvidence & { index: number; meaning: JudgedMeaning | undefined },
): DecisionHit {
  const evidence = {
    coverage,
    cosine: meaning === undefined ? null : onScale(meaning.cosines[index]!, meaning.scale),
  }
  const yardstick = meaning === undefined ? { generality: 0, line: 0 } : yardstickOf(meaning)
  const verdict = verdictOf(evidence, yardstick)
  return {
    entry: corpus.entries[index]!,
    score,
    ...evidence,
    relevance: relevanceOf(evidence, yardstick),
    verdict: !query.check && presence >= MOST_OF_THE_WORDS ? atLeast('weak', verdict) : verdict,
  }
}

const byRelevance = (a: DecisionHit, b: DecisionHit): number =>
  byVerdict(a.verdict, b.verdict) || b.relevance - a.relevance || b.score - a.score

// The `noise` and `strong` cosines of the bundled model. Cosines of other models are mapped to this scale, on which the
// verdicts were fitted.
const SCALE = { noise: 0.3, strong: 0.75 }

const yardstickOf = ({ generality, scale, line }: JudgedMeaning): Yardstick => ({
  generality: onScale(generality, scale) ?? 0,
  line,
})

function onScale(cosine: number, { noise, strong }: Meaning['scale']): number | null {
  if (Number.isNaN(cosine)) return null
  return SCALE.noise + ((cosine - noise) * (SCALE.strong - SCALE.noise)) / (strong - noise)
}

/** The square root of the normalised idf: 1 for a word in no decision, near 0 for one in all of them. */
function weigher(corpus: Bm25Corpus, check: boolean): (word: string) => number {
  const words = stopWords(check)
  const most = idf(0, corpus.size)
  return (word) => {
    const lower = word.toLowerCase()
    const found = words.has(lower) ? corpus.size : frequency(corpus.postings(stem(lower)), corpus.size)
    return Math.sqrt(idf(found, corpus.size) / most)
  }
}
