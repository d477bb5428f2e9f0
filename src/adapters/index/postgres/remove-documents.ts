import type { SqlSession } from '../../../ports/sql-database.ts'
import { jsonText, listOf } from './json-text.ts'

export interface Removed {
  readonly documents: number
  readonly chunks: number
  readonly length: number
  readonly postings: number
}

/** Takes documents out with everything that came with them; no word that only they had stays behind. */
export async function removeDocuments(sql: SqlSession, project: string, ids: readonly number[]): Promise<Removed> {
  if (ids.length === 0) return { documents: 0, chunks: 0, length: 0, postings: 0 }
  const [removed] = await sql.query<Removed>(REMOVE, [project, jsonText(ids)])
  return removed!
}

const ofGone = (row: string, column: string): string =>
  `${row}.project = $1 AND ${row}.${column} >= g.first_chunk AND ${row}.${column} < g.end_chunk`

// Rows are found by the index of the postings and then by place: nobody else changes this project meanwhile.
const REMOVE = `
  WITH gone AS (
    DELETE FROM ken.index_documents WHERE project = $1 AND id = ANY(${listOf(2, 'bigint')})
    RETURNING id, first_chunk, end_chunk, chunks, length, terms
  ), words AS (
    DELETE FROM ken.index_postings WHERE ctid = ANY(ARRAY(
      SELECT p.ctid FROM gone g
      CROSS JOIN unnest(g.terms) AS w(term)
      CROSS JOIN LATERAL (
        SELECT p.ctid FROM ken.index_postings p WHERE p.term = w.term COLLATE "C" AND ${ofGone('p', 'chunk')} OFFSET 0
      ) AS p
    )) RETURNING term, document
  ), held AS (
    SELECT term, count(*) AS chunks, count(DISTINCT document) AS documents FROM words GROUP BY term
  ), fewer AS (
    UPDATE ken.index_terms t SET chunks = t.chunks - h.chunks, documents = t.documents - h.documents
    FROM held h WHERE t.project = $1 AND t.term = h.term AND t.chunks > h.chunks
  ), none AS (
    DELETE FROM ken.index_terms t USING held h WHERE t.project = $1 AND t.term = h.term AND t.chunks <= h.chunks
  ), parts AS (
    DELETE FROM ken.index_chunks c USING gone g WHERE ${ofGone('c', 'id')}
  ), vectors AS (
    DELETE FROM ken.index_vectors v USING gone g WHERE ${ofGone('v', 'chunk')}
  ), outlines AS (
    DELETE FROM ken.index_outlines o USING gone g WHERE o.project = $1 AND o.document = g.id
  )
  SELECT count(*)::int AS documents, coalesce(sum(chunks), 0)::int AS chunks, coalesce(sum(length), 0)::bigint AS length,
    (SELECT count(*) FROM words)::int AS postings
  FROM gone`
