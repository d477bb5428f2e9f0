import type { QueryTerm } from './analyse.ts'
import type { Postings } from './bm25.ts'

/** What scoring needs to know of the indexed chunks; live ones only, numbered from 0. Postings come in ascending order. */
export interface ChunkCorpus {
  readonly size: number
  readonly averageLength: number
  readonly lengths: Uint32Array
  /** The document of each chunk; the chunks of one follow each other. */
  readonly ownerOf: Uint32Array
  /** Tokens by document. */
  readonly documentLengths: Uint32Array
  postings(term: string): Postings
}

export interface ChunkScores {
  /** The part of the query's weight that each chunk covers, 0 to 1: BM25 over the sum of all weights, unseen terms included. */
  readonly coverage: Float32Array
  /** How many of the query's words each chunk holds. */
  readonly matched: Uint16Array
  readonly words: number
}

// Chosen on the even half of the evaluation sets, see eval/retrieval.ts; the odd half moves alike.
const K1 = Number(process.env.XK1 ?? 1.2)
const B = Number(process.env.XB ?? 0.6)
/** How much of a chunk's score is that of its whole document: a question may be answered in several places of it. */
const WHOLE = Number(process.env.XW ?? 0.4)

/** Scores all chunks by words. A term that is a compound counts when the compound is there, or all of its parts are. */
export function scoreChunks(query: readonly QueryTerm[], corpus: ChunkCorpus): ChunkScores {
  const coverage = new Float32Array(corpus.size)
  const matched = new Uint16Array(corpus.size)
  const whole = new Float32Array(corpus.documentLengths.length)
  const known = new Map<string, Postings>()
  const postingsOf = (token: string) => {
    const found = known.get(token) ?? corpus.postings(token)
    known.set(token, found)
    return found
  }
  const weighed = new Set<string>()
  let total = 0
  for (const { term, parts } of query) {
    const asOne = postingsOf(term)
    countMatches(matched, asOne, parts.map(postingsOf))
    const tokens = parts.length > 0 && asOne.docs.length === 0 ? parts : [term, ...parts]
    for (const token of tokens) {
      if (weighed.has(token)) continue
      weighed.add(token)
      const postings = postingsOf(token)
      const weight = rarityOf(postings.docs.length, corpus.size)
      addToChunks(coverage, postings, { weight, corpus })
      addToDocuments(whole, postings, { weight, corpus })
      total += weight
    }
  }
  for (let row = 0; row < coverage.length; row++) {
    if (coverage[row]! > 0) coverage[row] = ((1 - WHOLE) * coverage[row]! + WHOLE * whole[corpus.ownerOf[row]!]!) / total
  }
  return { coverage, matched, words: query.length }
}

export const rarityOf = (found: number, size: number): number => Math.log(1 + (size - found + 0.5) / (found + 0.5))

interface Weighed {
  readonly weight: number
  readonly corpus: ChunkCorpus
}

function addToChunks(scores: Float32Array, { docs, counts }: Postings, { weight, corpus: { lengths, averageLength } }: Weighed): void {
  const flat = K1 * (1 - B)
  const slope = (K1 * B) / averageLength
  for (let i = 0; i < docs.length; i++) {
    const row = docs[i]!
    const count = counts[i]!
    scores[row]! += (weight * count) / (count + flat + slope * lengths[row]!)
  }
}

/** The rows of a document follow each other, so its count is complete when the owner changes. */
function addToDocuments(scores: Float32Array, { docs, counts }: Postings, { weight, corpus }: Weighed): void {
  const { ownerOf, documentLengths, averageLength, size } = corpus
  const flat = K1 * (1 - B)
  const slope = (K1 * B * documentLengths.length) / (averageLength * size)
  for (let i = 0; i < docs.length; ) {
    const owner = ownerOf[docs[i]!]!
    let count = 0
    for (; i < docs.length && ownerOf[docs[i]!] === owner; i++) count += counts[i]!
    scores[owner]! += (weight * count) / (count + flat + slope * documentLengths[owner]!)
  }
}

function countMatches(matched: Uint16Array, asOne: Postings, parts: readonly Postings[]): void {
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
