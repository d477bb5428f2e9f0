import { decisionTokens, STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { selectBest } from './select-best.ts'

export interface Bm25Hit {
  readonly index: number
  /** Rounded to three decimals; hits are ordered by the score before rounding. */
  readonly score: number
  /** Share of the query that the document covers, 0 to 1, not rounded. */
  readonly coverage: number
}

/** Documents that contain a term, ascending, each with its frequency. */
export interface Postings {
  readonly docs: Uint32Array
  readonly counts: Uint32Array | Uint16Array
}

/** The data of an indexed collection that scoring needs. Documents are numbered from 0 to size + extra - 1. */
export interface Bm25Corpus {
  /** Number of documents in the statistics. */
  readonly size: number
  /** Number of documents after `size`: scored by the same statistics, and selected separately. 0 if undefined. */
  readonly extra?: number
  /** Mean number of tokens of a document. */
  readonly averageLength: number
  length(doc: number): number
  postings(term: string): Postings | undefined
  /** Excludes documents from the results; the statistics stay those of the whole collection. */
  allows?(doc: number): boolean
}

export interface Bm25Options {
  readonly limit?: number
  /** Extra documents to return after the others; none if undefined. */
  readonly extraLimit?: number
  readonly k1?: number
  readonly b?: number
}

/**
 * Ranks texts against a query, best first; equal scores are in text order. Texts without a common term are left out.
 */
export function rankBm25(
  texts: readonly string[],
  query: string,
  options: Bm25Options & { readonly stopWords?: ReadonlySet<string> } = {},
): Bm25Hit[] {
  const stopWords = options.stopWords ?? STOP_WORDS
  const corpus = indexTokens(texts.map((text) => decisionTokens(text, stopWords)))
  return scoreTokens(decisionTokens(query, stopWords), corpus, options)
}

/**
 * Scores every document that shares a token with the query; a repeated query token counts again. Same order as
 * `rankBm25`.
 */
export function scoreTokens(tokens: readonly string[], corpus: Bm25Corpus, options: Bm25Options = {}): Bm25Hit[] {
  const terms = lookUp(tokens, corpus)
  const { size, extra = 0 } = corpus
  const scores = new Float32Array(size + extra)
  const saturation = saturationOf(corpus, options)
  for (const token of tokens) addTerm(scores, terms.get(token)!, saturation)
  const best = selectInParts(scores, corpus, { limit: options.limit ?? size, extraLimit: options.extraLimit ?? 0 })
  const covered = coverage(tokens, corpus, { ...options, docs: best })
  return best.map((index, i) => ({ index, score: toThreeDecimals(scores[index]!), coverage: covered[i]! }))
}

/** The best of the first `size` scores, then the best of the extra ones. */
export function selectInParts(
  scores: Float32Array,
  { size, allows }: Pick<Bm25Corpus, 'size' | 'allows'>,
  { limit, extraLimit }: { limit: number; extraLimit: number },
): number[] {
  const extra = selectBest(scores.subarray(size), extraLimit, allows && ((index) => allows(size + index)))
  return [...selectBest(scores.subarray(0, size), limit, allows), ...extra.map((index) => size + index)]
}

/** Coverage of given documents that another stage (vectors) found. */
export function coverage(
  tokens: readonly string[],
  corpus: Bm25Corpus,
  options: Bm25Options & { readonly docs: readonly number[] },
): number[] {
  const terms = [...lookUp(tokens, corpus).values()]
  const whole = terms.reduce((sum, term) => sum + term.idf, 0)
  const saturation = saturationOf(corpus, options)
  return options.docs.map((doc) => {
    const half = saturation.half(doc)
    let sum = 0
    for (const { idf, postings } of terms) {
      const at = placeOf(postings, doc)
      const count = at < 0 ? 0 : postings!.counts[at]!
      if (count > 0) sum += (idf * count) / (half + count)
    }
    return sum === 0 ? 0 : sum / whole
  })
}

/** Evidence for a document from the query's words. */
export interface WordEvidence {
  /** As in `scoreTokens`. */
  readonly score: number
  readonly coverage: number
  /** Share of the query's weight in terms that occur at all, regardless of the document's length. */
  readonly presence: number
}

/** Evidence for given documents that another stage (vectors) found. */
export function weighDocuments(
  tokens: readonly string[],
  corpus: Bm25Corpus,
  options: Bm25Options & { readonly docs: readonly number[] },
): WordEvidence[] {
  const found = lookUp(tokens, corpus)
  const terms = [...found].map(([token, term]) => ({ ...term, token, weight: Math.fround(term.idf) }))
  const placeInTerms = new Map(terms.map(({ token }, i) => [token, i]))
  const order = tokens.map((token) => placeInTerms.get(token)!)
  const whole = terms.reduce((sum, term) => sum + term.idf, 0)
  const saturation = saturationOf(corpus, options)
  const shares = terms.map(({ postings }) => (postings ? sharesOf(postings, saturation) : undefined))
  const parts = new Float32Array(terms.length)
  return options.docs.map((doc) => {
    const half = saturation.half(doc)
    let [covered, present] = [0, 0]
    for (const [i, { idf, postings, weight }] of terms.entries()) {
      const at = placeOf(postings, doc)
      parts[i] = at < 0 ? 0 : weight * shares[i]![at]!
      if (at < 0) continue
      const count = postings!.counts[at]!
      covered += (idf * count) / (half + count)
      present += idf
    }
    let score = 0
    for (const i of order) score = Math.fround(score + parts[i]!)
    return {
      score: toThreeDecimals(score),
      coverage: covered === 0 ? 0 : covered / whole,
      presence: present === 0 ? 0 : present / whole,
    }
  })
}

/** An in-memory corpus of tokenised documents; the last `extra` are excluded from its statistics. */
export function indexTokens(documents: readonly (readonly string[])[], extra = 0): Bm25Corpus {
  const size = documents.length - extra
  const lists = new Map<string, { docs: number[]; counts: number[] }>()
  let total = 0
  documents.forEach((tokens, doc) => {
    if (doc < size) total += tokens.length
    for (const token of tokens) {
      let list = lists.get(token)
      if (!list) lists.set(token, (list = { docs: [], counts: [] }))
      const last = list.docs.length - 1
      if (list.docs[last] === doc) list.counts[last]!++
      else {
        list.docs.push(doc)
        list.counts.push(1)
      }
    }
  })
  const postings = new Map<string, Postings>()
  for (const [term, { docs, counts }] of lists)
    postings.set(term, { docs: Uint32Array.from(docs), counts: Uint32Array.from(counts) })
  return {
    size,
    extra,
    averageLength: size === 0 ? 0 : total / size,
    length: (doc) => documents[doc]!.length,
    postings: (term) => postings.get(term),
  }
}

/** Inverse document frequency of a term that `found` of `size` texts contain. Never below 0. */
export const idf = (found: number, size: number): number => Math.log(1 + (size - found + 0.5) / (found + 0.5))

/** Number of documents in the statistics that have a term. */
export function frequency(postings: Postings | undefined, size: number): number {
  const docs = postings?.docs ?? []
  if (docs.length === 0 || docs[docs.length - 1]! < size) return docs.length
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[middle]! < size) low = middle + 1
    else high = middle
  }
  return low
}

interface Term {
  readonly idf: number
  readonly postings: Postings | undefined
}

function lookUp(tokens: readonly string[], corpus: Bm25Corpus): Map<string, Term> {
  const terms = new Map<string, Term>()
  for (const token of tokens) {
    if (terms.has(token)) continue
    const postings = corpus.postings(token)
    terms.set(token, { idf: idf(frequency(postings, corpus.size), corpus.size), postings })
  }
  return terms
}

/**
 * Number of occurrences that yield half of a term's weight: in longer documents more are needed. `key` identifies the
 * rule.
 */
interface Saturation {
  readonly key: string
  half(doc: number): number
}

function saturationOf(corpus: Bm25Corpus, { k1 = 1.5, b = 0.75 }: Bm25Options): Saturation {
  const { averageLength } = corpus
  return { key: `${k1} ${b} ${averageLength}`, half: (doc) => k1 * (1 - b + (b * corpus.length(doc)) / averageLength) }
}

// Every step is rounded to 32-bit floats in this order, or scores differ from the record's reference search in the
// third decimal.
function addTerm(scores: Float32Array, { idf, postings }: Term, saturation: Saturation): void {
  if (!postings) return
  const { docs } = postings
  const shares = sharesOf(postings, saturation)
  const weight = Math.fround(idf)
  for (let i = 0; i < docs.length; i++) scores[docs[i]!]! += Math.fround(weight * shares[i]!)
}

/**
 * The value of each posting before its term weight. The same for every query, so it is cached with the list: ten times
 * faster on common words.
 */
function sharesOf(postings: Postings, saturation: Saturation): Float32Array {
  const known = shareLists.get(postings)
  if (known !== undefined && known.key === saturation.key && known.shares.length === postings.docs.length)
    return known.shares
  const { docs, counts } = postings
  const shares = new Float32Array(docs.length)
  for (let i = 0; i < docs.length; i++) {
    const count = counts[i]!
    shares[i] = count / Math.fround(Math.fround(saturation.half(docs[i]!)) + count)
  }
  shareLists.set(postings, { key: saturation.key, shares })
  return shares
}

const shareLists = new WeakMap<Postings, { readonly key: string; readonly shares: Float32Array }>()

/** -1 if the term does not occur in the document. */
function placeOf(postings: Postings | undefined, doc: number): number {
  if (!postings) return -1
  const { docs } = postings
  let low = 0
  let high = docs.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (docs[middle] === doc) return middle
    if (docs[middle]! < doc) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Rounds ties to even. A 32-bit float times 1000 is exact in 64 bits, so no tie is missed or made up. */
function toThreeDecimals(score: number): number {
  const scaled = score * 1000
  const below = Math.floor(scaled)
  const rest = scaled - below
  const up = rest > 0.5 || (rest === 0.5 && below % 2 === 1)
  return (up ? below + 1 : below) / 1000
}
