import { furtherParts, rowsOfFound } from './best-parts.ts'
import { REPLY_TERM, REPLY_WORTH, TEST_TERM, TEST_WORTH } from './marks.ts'
import { bestRows, fuseRanks, SUPERSEDED, OUT, type BestRow, type RankedRows } from './rank-documents.ts'
import type { ReadQuestion } from './read-question.ts'
import { coverDocuments, type ChunkScores } from './score-chunks.ts'
import { settleSuperseded, type Described } from './superseded.ts'
import type { WorkingArrays } from './working-arrays.ts'

/** The vectors in a scope, for one query. */
export interface MeaningRows {
  /** The nearest rows, best first; fewer than `count` only if there are no more. */
  nearest(count: number): readonly BestRow[]
  /** The cosine of each row that has a vector. */
  of(rows: readonly number[]): ReadonlyMap<number, number>
}

export interface RankedRow {
  readonly row: number
  /** Rows of further parts of the same document, best first. */
  readonly parts: readonly number[]
  readonly score: number
  readonly coverage: number
  readonly cosine: number | null
  readonly hasAllWords: boolean
  /** True if the query is the document's title or file name. */
  readonly isNamed: boolean
  /** Weight of the document for this query: less than 1 if it was superseded and a current one covers the same. */
  readonly worth: number
}

export interface HybridQuery extends ReadQuestion {
  readonly by: 'words' | 'meaning' | 'both'
  readonly beta: number | undefined
  readonly limit: number
}

/**
 * Weight of word coverage relative to a cosine of the bundled model. Chosen on the sets of eval/retrieval.ts, of 1,
 * 1.2, 1.5 and 2: a higher weight is better for LoCoMo's sessions, a lower one for CoSQA and Knowl's semantic suite.
 */
export const COVERAGE_WEIGHT = 1.2

/** Number of documents that each of the two lists contributes to the sum, and that may move in the final steps. */
export const DEPTH = 100

/** Higher than any other score: an exact match of the name ranks first. */
export const BY_NAME = 3

/**
 * Ranks documents for a query, each by its best chunk. Used by every back end, so all rank alike. `describe` is called
 * only if superseded documents are among the best.
 */
export function hybridSearch(
  rows: RankedRows,
  words: ChunkScores,
  meaning: MeaningRows | undefined,
  { describe, ...ask }: HybridQuery & { readonly describe: (row: number) => Described },
): RankedRow[] {
  const judged = {
    ...rows,
    share: sharesOf(words, ask),
    covered: coveredBy(rows, words),
    named: ownersOf(rows, words, ask.names),
    arrays: words.arrays,
  }
  const found = settleSuperseded(rank(judged, meaning, ask), {
    isSuperseded: (row) => rows.standing[rows.ownerOf[row]!] === SUPERSEDED,
    isCalled: (row) => judged.named.has(rows.ownerOf[row]!),
    coverage: words.coverage,
    terms: ask.terms,
    describe,
  }).slice(0, ask.limit)
  const cosines = meaning?.of(rowsOfFound(rows, found))
  const { by, beta: weight = COVERAGE_WEIGHT } = ask
  const parts = furtherParts(rows, found, { by, weight, coverage: words.coverage, cosines })
  return found.map(({ row, score, worth }, at) => ({
    row,
    parts: parts[at]!,
    score,
    coverage: words.coverage[row]!,
    cosine: cosines?.get(row) ?? null,
    hasAllWords: words.words > 0 && words.matched[row] === words.words,
    isNamed: judged.named.has(rows.ownerOf[row]!),
    worth,
  }))
}

interface JudgedRows extends RankedRows {
  /** Weight of each row among those of its document and of others. */
  readonly share: Float32Array
  readonly covered: Float32Array
  /** Documents with exactly the queried name. */
  readonly named: ReadonlySet<number>
  readonly arrays: WorkingArrays
}

/**
 * Coverage of each row: half from the chunk, half from its document, because the answer may be spread over a
 * conversation.
 */
function coveredBy(rows: RankedRows, words: ChunkScores): Float32Array {
  const whole = coverDocuments(rows, words)
  const covered = words.arrays.floats(rows.size)
  // A loop, because `map` calls a function for every row of the index.
  for (let row = 0; row < rows.size; row++) covered[row] = (words.coverage[row]! + whole[rows.ownerOf[row]!]!) / 2
  return covered
}

function sharesOf({ corpus, arrays }: ChunkScores, { aboutAsker, aboutTests }: ReadQuestion): Float32Array {
  const share = arrays.floats(corpus.size).fill(1)
  if (aboutAsker) for (const row of corpus.postings(REPLY_TERM).docs) share[row] = REPLY_WORTH
  if (!aboutTests) for (const row of corpus.postings(TEST_TERM).docs) share[row] = TEST_WORTH
  return share
}

function ownersOf({ ownerOf, standing }: RankedRows, { corpus }: ChunkScores, names: readonly string[]): Set<number> {
  const owners = names.flatMap((name) => Array.from(corpus.postings(name).docs, (row) => ownerOf[row]!))
  return new Set(owners.filter((owner) => standing[owner] !== OUT))
}

/** Documents by their best row, best first; may return more than `limit`. */
function rank(
  rows: JudgedRows,
  meaning: MeaningRows | undefined,
  { by, beta, limit, isIdentifier }: HybridQuery,
): BestRow[] {
  const depth = Math.max(limit, DEPTH)
  if (by === 'meaning') return meaning === undefined ? [] : byMeaning(rows, meaning, depth)
  const lexical = byWords(rows, depth)
  if (by === 'words' || meaning === undefined || (isIdentifier && lexical.length > 0)) return lexical
  const semantic = byMeaning(rows, meaning, depth)
  if (beta === undefined) return fusedByRank(rows, [lexical, semantic])
  const candidates = rowsOfFound(rows, oncePerDocument(rows, [...lexical, ...semantic]))
  const scores = rows.arrays.floats(rows.size)
  const cosines = meaning.of(candidates)
  for (const row of candidates)
    scores[row] = rows.share[row]! * (Math.max(0, cosines.get(row) ?? 0) + beta * rows.covered[row]!)
  return bestRows(rows, nameFirst(rows, scores), depth)
}

function byWords(rows: JudgedRows, depth: number): BestRow[] {
  const { share, covered } = rows
  const scores = rows.arrays.floats(rows.size)
  for (let row = 0; row < rows.size; row++) scores[row] = share[row]! * covered[row]!
  return bestRows(rows, nameFirst(rows, scores), depth)
}

/** Raises the scores of documents with exactly the queried name. */
function nameFirst({ size, ownerOf, named }: JudgedRows, scores: Float32Array): Float32Array {
  if (named.size > 0)
    for (let row = 0; row < size; row++) if (scores[row]! > 0 && named.has(ownerOf[row]!)) scores[row]! += BY_NAME
  return scores
}

/** A document may have many of the nearest chunks, so the list is read until there are enough documents. */
function byMeaning(rows: JudgedRows, meaning: MeaningRows, limit: number): BestRow[] {
  for (let count = limit * 4; ; count *= 4) {
    const nearest = meaning.nearest(count)
    const best = new Map<number, BestRow>()
    for (const { row, score: cosine } of nearest) {
      const owner = rows.ownerOf[row]!
      const score = cosine * rows.share[row]!
      if (score > (best.get(owner)?.score ?? 0)) best.set(owner, { row, score })
    }
    if (best.size < limit && nearest.length === count && nearest.at(-1)!.score > 0) continue
    return [...best.values()]
      .sort((a, b) => b.score - a.score || rows.ownerOf[a.row]! - rows.ownerOf[b.row]!)
      .slice(0, limit)
  }
}

function fusedByRank(rows: RankedRows, lists: readonly (readonly BestRow[])[]): BestRow[] {
  const fused = fuseRanks(lists.map((list) => ({ items: list.map(({ row }) => rows.ownerOf[row]!), weight: 1 })))
  const rowOf = new Map(
    lists
      .flat()
      .toReversed()
      .map(({ row }) => [rows.ownerOf[row]!, row]),
  )
  return [...fused]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([owner, score]) => ({ row: rowOf.get(owner)!, score }))
}

const oncePerDocument = ({ ownerOf }: RankedRows, found: readonly BestRow[]): BestRow[] => [
  ...new Map(found.map((one) => [ownerOf[one.row]!, one])).values(),
]
