import { idf } from '../../../core/ranking/bm25.ts'
import { BY_NAME } from '../../../core/ranking/hybrid-search.ts'
import { REPLY_WORTH, TEST_WORTH } from '../../../core/ranking/marks.ts'
import { B, K1 } from '../../../core/ranking/score-chunks.ts'
import { scoringTokens } from '../../../core/text/analyse.ts'
import type { IndexQuestion } from '../../../ports/search-index.ts'
import type { SqlSession, SqlValue } from '../../../ports/sql-database.ts'
import type { Figures } from './figures.ts'
import { jsonText, listOf } from './json-text.ts'
import { scopePredicate } from './scope-predicate.ts'
import { REPLY, TEST } from './write-batch.ts'

/** What a term weighs among chunks and among documents; the sums over a question's terms are 1. */
interface AskedTerm {
  readonly term: string
  readonly weight: number
  readonly inDocuments: number
  readonly chunks: number
}

/** A term that more chunks hold, and more than a twentieth of all, is not looked for by itself at first. */
const COMMON_FROM = 5_000
const COMMON_SHARE = 0.05

/** Scores of single precision may put neighbours in another order at the end of the list. */
const SPARE = 20

/**
 * The documents of the scope that stand first by words, ranked as `hybridSearch` does it. What only very common words
 * speak for is left out while it cannot reach the answer; where it could, all words are looked for.
 */
export async function bestByWords(
  sql: SqlSession,
  { project, figures, question, depth }: { project: string; figures: Figures; question: IndexQuestion; depth: number },
): Promise<readonly number[]> {
  const asked = weigh(question, figures)
  if (asked.length === 0) return []
  const isCommon = ({ chunks }: AskedTerm) => chunks > Math.max(COMMON_FROM, COMMON_SHARE * figures.whole.chunks)
  const leading = asked.filter((term) => !isCommon(term))
  const find = (leads: readonly AskedTerm[] | undefined) =>
    rankedByWords(sql, { project, figures, question, asked, leads, limit: depth + SPARE })
  if (leading.length > 0 && leading.length < asked.length) {
    const found = await find(leading)
    const reach = asked.filter(isCommon).reduce((sum, term) => sum + (term.weight + term.inDocuments) / 2, 0)
    if (found.length > question.limit && found[question.limit]!.score >= reach) return found.map(({ id }) => id)
  }
  return (await find(undefined)).map(({ id }) => id)
}

function weigh({ terms }: IndexQuestion, { held, whole }: Figures): AskedTerm[] {
  const tokens = scoringTokens(terms, (token) => held(token).chunks > 0)
  const weights = tokens.map((token) => idf(held(token).chunks, whole.chunks))
  const inDocuments = tokens.map((token) => idf(held(token).documents, whole.documents))
  const [all, allInDocuments] = [weights, inDocuments].map((some) => some.reduce((sum, one) => sum + one, 0))
  return tokens
    .map((term, i) => ({
      term,
      weight: weights[i]! / all!,
      inDocuments: inDocuments[i]! / allInDocuments!,
      chunks: held(term).chunks,
    }))
    .filter(({ chunks }) => chunks > 0)
}

interface WordsQuery {
  readonly project: string
  readonly figures: Figures
  readonly question: IndexQuestion
  readonly asked: readonly AskedTerm[]
  /** Only documents that hold one of these, or are called what was asked for. */
  readonly leads: readonly AskedTerm[] | undefined
  readonly limit: number
}

function rankedByWords(
  sql: SqlSession,
  query: WordsQuery,
): Promise<readonly { readonly id: number; readonly score: number }[]> {
  const { text, values } = wordsStatement(query)
  return sql.query(text, values)
}

/** The statement alone, so that a bench can have it explained. */
export function wordsStatement({ project, figures, question, asked, leads, limit }: WordsQuery): {
  readonly text: string
  readonly values: readonly SqlValue[]
} {
  const { averageLength, whole } = figures
  const values: SqlValue[] = [
    project,
    jsonText(asked.map(({ term, weight, inDocuments }) => ({ term, weight, in_documents: inDocuments }))),
    jsonText(question.names),
    K1 * (1 - B),
    averageLength === 0 ? 0 : (K1 * B) / averageLength,
    averageLength === 0 ? 0 : (K1 * B * whole.documents) / (averageLength * whole.chunks),
    limit,
  ]
  const led =
    leads &&
    ` AND p.document IN (
        SELECT l.document FROM ken.index_postings l WHERE l.project = $1 AND l.term = ANY(${listOf(values.push(jsonText([...leads.map(({ term }) => term), ...question.names])), 'text')})
      )`
  const worths = [!question.aboutTests && TEST_WORTH, question.aboutAsker && REPLY_WORTH].filter((one) => one !== false)
  const share = [
    !question.aboutTests && `WHEN h.marks & ${TEST} > 0 THEN ${TEST_WORTH}::float8`,
    question.aboutAsker && `WHEN h.marks & ${REPLY} > 0 THEN ${REPLY_WORTH}::float8`,
  ].filter((worth) => typeof worth === 'string')
  // A lookup in LATERAL with OFFSET 0 stays one by the index of the postings, whatever the planner believes of new tables.
  const text = `
    WITH asked AS MATERIALIZED (
      SELECT term COLLATE "C" AS term, weight, in_documents
      FROM jsonb_to_recordset($2::text::jsonb) AS a(term text, weight float8, in_documents float8)
    ), hits AS MATERIALIZED (
      SELECT p.document, p.chunk, p.marks, p.count, a.term, a.in_documents, d.length,
        a.weight * p.count / (p.count + $4::float8 + $5::float8 * p.length) AS covered
      FROM asked a
      CROSS JOIN LATERAL (SELECT * FROM ken.index_postings p WHERE p.project = $1 AND p.term = a.term OFFSET 0) AS p
      CROSS JOIN LATERAL (
        SELECT d.length FROM ken.index_documents d
        WHERE d.project = $1 AND d.id = p.document${scopePredicate(question.scope, values)} OFFSET 0
      ) AS d
      WHERE true${led ?? ''}
    ), parts AS (
      SELECT h.document, min(${share.length === 0 ? '1::float8' : `CASE ${share.join(' ')} ELSE 1 END`}) AS share,
        sum(h.covered) AS covered, NULL::float8 AS whole, 0 AS named
      FROM hits h GROUP BY h.document, h.chunk
      UNION ALL
      SELECT document, NULL, NULL, sum(in_documents * held / (held + $4::float8 + $6::float8 * length)), 0
      FROM (SELECT document, term, in_documents, length, sum(count)::float8 AS held FROM hits GROUP BY 1, 2, 3, 4) AS t
      GROUP BY document
      UNION ALL
      SELECT document, NULL, NULL, NULL, ${BY_NAME} FROM ken.index_postings
      WHERE project = $1 AND term = ANY(${listOf(3, 'text')})
    )
    SELECT document AS id, max(named) + greatest(${[...new Set([1, ...worths])]
      .map((worth) => `${worth} * (max(covered) FILTER (WHERE share = ${worth}::float8) + max(whole))`)
      .join(', ')}) / 2 AS score
    FROM parts GROUP BY document HAVING max(covered) > 0
    ORDER BY 2 DESC, 1 LIMIT $7::int`
  return { text, values }
}
