import { scoringTokens } from '../../../kernel/domain/text/analyse.ts'
import type { SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import { idf } from '../../../retrieval/domain/ranking/bm25.ts'
import { BY_NAME } from '../../../retrieval/domain/ranking/hybrid-search.ts'
import { REPLY_WORTH, TEST_WORTH } from '../../../retrieval/domain/ranking/marks.ts'
import { B, K1 } from '../../../retrieval/domain/ranking/score-chunks.ts'
import { selectBest } from '../../../retrieval/domain/ranking/select-best.ts'
import type { IndexQuestion } from '../../ports/search-index.ts'
import { listOfNumbers } from './json-text.ts'
import type { RowPostings, WordsRead } from './read-words.ts'
import { scopePredicate } from './scope-predicate.ts'
import { REPLY, TEST } from './segment.ts'

/** Additional documents, because single-precision scores may reorder neighbours at the end of the list. */
const SPARE = 20
/** Factor for the number of documents requested at first if a scope may exclude some. */
const FOR_SCOPE = 4

export interface WordsQuery {
  readonly project: string
  readonly words: WordsRead
  readonly question: IndexQuestion
  readonly depth: number
}

/** The best documents of the scope by words, ranked as in `hybridSearch`. */
export async function bestByWords(sql: SqlSession, query: WordsQuery): Promise<readonly number[]> {
  const { words, question, depth, project } = query
  const scores = scoreDocuments(words, question)
  const most = depth + SPARE
  const { scope } = question
  if (scopePredicate(scope, []) === '') return bestIds(words, scores, most)
  const first = bestIds(words, scores, most * FOR_SCOPE)
  const values: SqlValue[] = [project, listOfNumbers(first)]
  const inside = await idsOf(sql, ` AND d.id = ANY($2::text::bigint[])${scopePredicate(scope, values)}`, values)
  if (inside.size >= most || first.length < most * FOR_SCOPE) return first.filter((id) => inside.has(id)).slice(0, most)
  const everything: SqlValue[] = [project]
  const all = await idsOf(sql, scopePredicate(scope, everything), everything)
  const { ids } = words.ground
  return bestIds(
    words,
    scores.map((score, at) => (all.has(ids[at]!) ? score : 0)),
    most,
  )
}

async function idsOf(sql: SqlSession, condition: string, values: readonly SqlValue[]): Promise<ReadonlySet<number>> {
  const [found] = await sql.query<{ ids: readonly number[] }>(
    `SELECT coalesce(json_agg(d.id), '[]') AS ids FROM ken.index_documents d WHERE d.project = $1${condition}`,
    values,
  )
  return new Set(found!.ids)
}

/** Best ids. Equal scores are ordered by id, even if the list ends among them. */
function bestIds({ ground: { ids } }: WordsRead, scores: Float32Array, most: number): number[] {
  const best = selectBest(scores, most)
  if (best.length < most) return best.sort((a, b) => scores[b]! - scores[a]! || ids[a]! - ids[b]!).map((at) => ids[at]!)
  const last = scores[best.at(-1)!]!
  const found: number[] = best.filter((at) => scores[at]! > last)
  for (let at = 0; at < scores.length; at++) if (scores[at] === last) found.push(at)
  return found
    .sort((a, b) => scores[b]! - scores[a]! || ids[a]! - ids[b]!)
    .slice(0, most)
    .map((at) => ids[at]!)
}

/** Scores by document of the ground; 0 for a document without any term of the question. */
function scoreDocuments(words: WordsRead, question: IndexQuestion): Float32Array {
  const { ground, averageLength, whole } = words
  const { ids, firstRows, sizes, lengths, marks, ownerOf } = ground
  const inChunks = new Float64Array(lengths.length)
  const inDocuments = new Float64Array(ids.length)
  const add = scorer(words, inChunks, inDocuments)
  for (const term of weigh(question, words)) add(term)
  const scores = new Float32Array(ids.length)
  if (averageLength === 0 || whole.chunks === 0) return scores
  const shareOf = (mark: number): number => {
    if (!question.aboutTests && (mark & TEST) > 0) return TEST_WORTH
    return question.aboutAsker && (mark & REPLY) > 0 ? REPLY_WORTH : 1
  }
  for (let at = 0; at < ids.length; at++) {
    if (inDocuments[at] === 0) continue
    const end = firstRows[at]! + sizes[at]!
    for (let row = firstRows[at]!; row < end; row++) {
      const score = (shareOf(marks[row]!) * (inChunks[row]! + inDocuments[at]!)) / 2
      if (score > scores[at]!) scores[at] = score
    }
  }
  for (const at of new Set(
    question.names.flatMap((name) => Array.from(words.postings(name).rows, (row) => ownerOf[row]!)),
  ))
    if (scores[at]! > 0) scores[at]! += BY_NAME
  return scores
}

/** Weight of a term among chunks and among documents; each sums to 1 over a question's terms. */
interface WeighedTerm {
  readonly postings: RowPostings
  readonly weight: number
  readonly inDocuments: number
}

function weigh({ terms }: IndexQuestion, { held, whole, postings }: WordsRead): WeighedTerm[] {
  const tokens = scoringTokens(terms, (token) => held(token).chunks > 0)
  const weights = tokens.map((token) => idf(held(token).chunks, whole.chunks))
  const inDocuments = tokens.map((token) => idf(held(token).documents, whole.documents))
  const [all, allInDocuments] = [weights, inDocuments].map((some) => some.reduce((sum, one) => sum + one, 0))
  return tokens.map((term, i) => ({
    postings: postings(term),
    weight: weights[i]! / all!,
    inDocuments: inDocuments[i]! / allInDocuments!,
  }))
}

/** Adds a term's score to each chunk and each document that contain it. */
function scorer({ ground, averageLength, whole }: WordsRead, inChunks: Float64Array, inDocuments: Float64Array) {
  const { lengths, ownerOf, firstRows, sizes } = ground
  const flat = K1 * (1 - B)
  const slope = (K1 * B) / averageLength
  const slopeOfWhole = (slope * whole.documents) / whole.chunks
  const lengthOf = (document: number): number => {
    let sum = 0
    const end = firstRows[document]! + sizes[document]!
    for (let row = firstRows[document]!; row < end; row++) sum += lengths[row]!
    return sum
  }
  return ({ postings: { rows, counts }, weight, inDocuments: whole }: WeighedTerm): void => {
    for (let i = 0; i < rows.length;) {
      const owner = ownerOf[rows[i]!]!
      let held = 0
      // The rows of a document are adjacent.
      for (; i < rows.length && ownerOf[rows[i]!] === owner; i++) {
        const [row, count] = [rows[i]!, counts[i]!]
        inChunks[row]! += (weight * count) / (count + flat + slope * lengths[row]!)
        held += count
      }
      inDocuments[owner]! += (whole * held) / (held + flat + slopeOfWhole * lengthOf(owner))
    }
  }
}
