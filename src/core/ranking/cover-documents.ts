import type { RankedRows } from './rank-documents.ts'
import { B, type ChunkScores, K1, rarityOf } from './score-chunks.ts'

/**
 * The part of the query's weight that each document covers as a whole, 0 to 1: BM25 over what all of its chunks hold.
 */
export function coverDocuments({ documents, ownerOf }: RankedRows, { tokens, corpus }: ChunkScores): Float32Array {
  const coverage = new Float32Array(documents)
  const lengths = documentLengths(ownerOf, corpus.lengths, documents)
  const averageLength = (corpus.averageLength * corpus.size) / documents
  const counts = new Uint32Array(documents)
  let whole = 0
  for (const postings of tokens) {
    const holders: number[] = []
    for (let i = 0; i < postings.docs.length; i++) {
      const owner = ownerOf[postings.docs[i]!]!
      if (counts[owner] === 0) holders.push(owner)
      counts[owner]! += postings.counts[i]!
    }
    const weight = rarityOf(holders.length, documents)
    whole += weight
    for (const owner of holders) {
      const count = counts[owner]!
      coverage[owner]! += (weight * count) / (count + K1 * (1 - B + (B * lengths[owner]!) / averageLength))
      counts[owner] = 0
    }
  }
  if (whole > 0) for (let owner = 0; owner < documents; owner++) coverage[owner]! /= whole
  return coverage
}

const known = new WeakMap<Uint32Array, Float64Array>()

/** They stay the same until the index changes, and then its rows are others too. */
function documentLengths(ownerOf: Uint32Array, ofRows: Uint32Array, documents: number): Float64Array {
  let lengths = known.get(ownerOf)
  if (lengths !== undefined) return lengths
  lengths = new Float64Array(documents)
  for (let row = 0; row < ofRows.length; row++) lengths[ownerOf[row]!]! += ofRows[row]!
  known.set(ownerOf, lengths)
  return lengths
}
