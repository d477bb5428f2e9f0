import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { packPostings } from '../../../retrieval/domain/ranking/posting-bytes.ts'
import { jsonText, listOf } from './json-text.ts'
import { changeLeaves, deleteSegments, documentsIn, hexOf, movedPostings, readLeaves } from './segment-rows.ts'
import type { LeafRow } from './segment-rows.ts'
import { ownersOf, packParts, readParts, type SegmentPart } from './segment.ts'

export interface Removed {
  readonly documents: number
  readonly chunks: number
  readonly length: number
  readonly postings: number
}

export interface Removal {
  readonly project: string
  /** Generation of the enclosing change. */
  readonly generation: number
  readonly ids: readonly number[]
}

/** Removes documents with everything that belongs to them, including words that only they contained. */
export async function removeDocuments(sql: SqlSession, { project, generation, ids }: Removal): Promise<Removed> {
  const none = { documents: 0, chunks: 0, length: 0, postings: 0 }
  if (ids.length === 0) return none
  const gone = await sql.query<Gone>(REMOVE, [project, jsonText(ids)])
  const bySegment = Map.groupBy(
    gone.filter(({ chunks }) => chunks > 0),
    ({ segment }) => segment,
  )
  let postings = 0
  for (const [number, documents] of bySegment)
    postings += await removeFromSegment(sql, {
      project,
      generation,
      number,
      gone: new Set(documents.map(({ id }) => id)),
    })
  return gone.reduce(
    (sum, { chunks, length }) => ({
      ...sum,
      documents: sum.documents + 1,
      chunks: sum.chunks + chunks,
      length: sum.length + length,
    }),
    { ...none, postings },
  )
}

interface Gone {
  readonly id: number
  readonly chunks: number
  readonly length: number
  readonly segment: number
}

const REMOVE = `
  WITH gone AS (
    DELETE FROM ken.index_documents WHERE project = $1 AND id = ANY(${listOf(2, 'bigint')})
    RETURNING id, first_chunk, end_chunk, chunks, length
  ), vectors AS (
    DELETE FROM ken.index_vectors v USING gone g
    WHERE v.project = $1 AND v.chunk >= g.first_chunk AND v.chunk < g.end_chunk
  ), outlines AS (
    DELETE FROM ken.index_outlines o USING gone g WHERE o.project = $1 AND o.document = g.id
  )
  SELECT g.id, g.chunks, g.length, (
    SELECT s.number FROM ken.index_segments s WHERE s.project = $1 AND s.number <= g.first_chunk
    ORDER BY s.number DESC LIMIT 1
  ) AS segment
  FROM gone g`

interface FromSegment extends Omit<Removal, 'ids'> {
  readonly number: number
  readonly gone: ReadonlySet<number>
}

async function removeFromSegment(sql: SqlSession, { project, generation, number, gone }: FromSegment): Promise<number> {
  const place = { project, number }
  const [row] = await sql.query<{ documents: Uint8Array }>(
    'SELECT documents FROM ken.index_segments WHERE project = $1 AND number = $2::bigint',
    [project, number],
  )
  const parts = readParts(row!.documents).map((part): SegmentPart =>
    gone.has(part.id ?? -1) ? { ...part, id: undefined } : part,
  )
  const live = parts.reduce((sum, { id, lengths }) => sum + (id === undefined ? 0 : lengths.length), 0)
  let dropped = 0
  const changed: LeafRow[] = []
  const owners = ownersOf(parts)
  const moved = Int32Array.from(owners, (owner, at) => (parts[owner]!.id === undefined ? -1 : at))
  for (const leaf of await readLeaves(sql, place)) {
    const words = movedPostings(leaf, moved)
    const fewer = words.reduce((sum, word) => sum + word.dropped, 0)
    if (fewer === 0) continue
    dropped += fewer
    const left = words.filter(({ places }) => places.length > 0)
    changed.push({
      leaf: leaf.leaf,
      terms: left.map(({ term }) => term),
      postings: left.map((word) => hexOf(packPostings(word, documentsIn(word, owners)))),
    })
  }
  if (live === 0) await deleteSegments(sql, project, [number])
  else {
    await changeLeaves(sql, place, changed)
    await sql.query(
      `UPDATE ken.index_segments SET documents = $3::bytea, generation = $4::bigint, chunks = $5::int
       WHERE project = $1 AND number = $2::bigint`,
      [project, number, packParts(parts), generation, live],
    )
  }
  return dropped
}
