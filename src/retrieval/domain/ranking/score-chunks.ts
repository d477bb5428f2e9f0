import { scoringTokens, type QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import { idf, type Postings } from './bm25.ts'
import type { RankedRows } from './rank-documents.ts'
import { newArrays, type WorkingArrays } from './working-arrays.ts'

/** The data of the indexed chunks that scoring needs; only live chunks, numbered from 0. */
export interface ChunkCorpus {
  readonly size: number
  /** Mean over all chunks. */
  readonly averageLength: number
  readonly lengths: Uint32Array
  postings(term: string): ChunkPostings
  /** Totals of the collection, if the rows are only those of documents that may be in the answer. */
  readonly whole?: Holders
}

export interface ChunkPostings extends Postings {
  /** Numbers of all chunks and documents with the term, if the rows are only some of them. */
  readonly held?: Holders
}

export interface Holders {
  readonly chunks: number
  readonly documents: number
}

export interface ChunkScores {
  /**
   * The share of the query's weight that each chunk covers, 0 to 1: BM25 over the sum of all weights, including unseen
   * terms.
   */
  readonly coverage: Float32Array
  /** Number of the query's words in each chunk. */
  readonly matched: Uint32Array
  readonly words: number
  /** Postings of each query token that has a weight. */
  readonly tokens: readonly ChunkPostings[]
  readonly corpus: ChunkCorpus
  readonly arrays: WorkingArrays
}

// Chosen on the sets of eval/retrieval.ts: a k1 below 1.2 helps LoCoMo, a b above .75 helps BEAM and CoSQA; past .9 the
// other sets begin to lose.
export const K1 = 0.9
export const B = 0.9

/** Scores all chunks by words. A compound term matches as a whole or by all of its parts. */
export function scoreChunks(query: readonly QueryTerm[], corpus: ChunkCorpus, arrays = newArrays): ChunkScores {
  const coverage = arrays.floats(corpus.size)
  const matched = arrays.integers(corpus.size)
  const known = new Map<string, ChunkPostings>()
  const postingsOf = (token: string) => {
    const found = known.get(token) ?? corpus.postings(token)
    known.set(token, found)
    return found
  }
  for (const { term, parts } of query) countMatches(matched, postingsOf(term), parts.map(postingsOf))
  const tokens = scoringTokens(query, (token) => holders(postingsOf(token)) > 0).map(postingsOf)
  let whole = 0
  for (const token of tokens) whole += addToken(coverage, token, corpus)
  if (whole > 0) for (let row = 0; row < coverage.length; row++) coverage[row]! /= whole
  return { coverage, matched, words: query.length, tokens, corpus, arrays }
}

function addToken(
  scores: Float32Array,
  postings: ChunkPostings,
  { size, whole, lengths, averageLength }: ChunkCorpus,
): number {
  const { docs, counts } = postings
  const weight = idf(holders(postings), whole?.chunks ?? size)
  const flat = K1 * (1 - B)
  const slope = averageLength === 0 ? 0 : (K1 * B) / averageLength
  for (let i = 0; i < docs.length; i++) {
    const row = docs[i]!
    const count = counts[i]!
    scores[row]! += (weight * count) / (count + flat + slope * lengths[row]!)
  }
  return weight
}

const holders = ({ docs, held }: ChunkPostings): number => held?.chunks ?? docs.length

function countMatches(matched: Uint32Array, asOne: Postings, parts: readonly Postings[]): void {
  const [rarest, ...others] = parts.toSorted((a, b) => a.docs.length - b.docs.length)
  if (rarest === undefined) {
    for (const row of asOne.docs) matched[row]!++
    return
  }
  const rows = new Set(asOne.docs)
  const sets = others.map(({ docs }) => new Set(docs))
  for (const row of rarest.docs) if (sets.every((set) => set.has(row))) rows.add(row)
  for (const row of rows) matched[row]!++
}

/**
 * The share of the query's weight that each document covers as a whole, 0 to 1: BM25 over all of its chunks together.
 */
export function coverDocuments(
  { documents, ownerOf }: RankedRows,
  { tokens, corpus, arrays }: ChunkScores,
): Float32Array {
  const coverage = arrays.floats(documents)
  const lengths = documentLengths(ownerOf, corpus.lengths, documents)
  const all = corpus.whole ?? { chunks: corpus.size, documents }
  const averageLength = (corpus.averageLength * all.chunks) / all.documents
  const [counts, owners] = [arrays.integers(documents), arrays.integers(documents)]
  let whole = 0
  for (const postings of tokens) {
    let found = 0
    for (let i = 0; i < postings.docs.length; i++) {
      const owner = ownerOf[postings.docs[i]!]!
      if (counts[owner] === 0) owners[found++] = owner
      counts[owner]! += postings.counts[i]!
    }
    const weight = idf(postings.held?.documents ?? found, all.documents)
    whole += weight
    for (let i = 0; i < found; i++) {
      const owner = owners[i]!
      const count = counts[owner]!
      coverage[owner]! += (weight * count) / (count + K1 * (1 - B + (B * lengths[owner]!) / averageLength))
      counts[owner] = 0
    }
  }
  if (whole > 0) for (let owner = 0; owner < documents; owner++) coverage[owner]! /= whole
  return coverage
}

const known = new WeakMap<Uint32Array, Float64Array>()

/** Cached by `ownerOf`: lengths are constant until the index changes, and then its rows change too. */
function documentLengths(ownerOf: Uint32Array, ofRows: Uint32Array, documents: number): Float64Array {
  let lengths = known.get(ownerOf)
  if (lengths !== undefined) return lengths
  lengths = new Float64Array(documents)
  for (let row = 0; row < ofRows.length; row++) lengths[ownerOf[row]!]! += ofRows[row]!
  known.set(ownerOf, lengths)
  return lengths
}
