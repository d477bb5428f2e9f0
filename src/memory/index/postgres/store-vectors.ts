import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { SearchIndex, UnembeddedChunk } from '../../ports/search-index.ts'
import { beginChange, endChange, type Head } from './head.ts'
import { jsonText } from './json-text.ts'
import { stepNear, type NearPlan } from './near-vectors.ts'

type Made = Parameters<SearchIndex['storeVectors']>[1]

export interface VectorPlace {
  readonly project: string
  readonly embedder: string
  /** Set for a server with a vector index. */
  readonly near: NearPlan | undefined
}

export async function storeVectors(sql: SqlSession, place: VectorPlace, made: Made): Promise<void> {
  const { project, embedder, near } = place
  const head = await beginChange(sql, project)
  const vectors = made.filter(({ epoch }) => (epoch ?? head.epoch) === head.epoch)
  const nearFrom = await stepNear(sql, { project, head, near, coming: vectors.length })
  // If a chunk has two vectors, the later one is kept, because one statement cannot write a row twice.
  await insertVectors(sql, {
    project,
    embedder,
    nearFrom,
    vectors: [...new Map(vectors.map((one) => [one.chunk, one])).values()],
  })
  await endChange(sql, project)
}

/** Limit per statement: a few megabytes of text. */
const VECTORS_AT_ONCE = 4_000

export interface VectorsInserted extends Omit<VectorPlace, 'near'> {
  readonly nearFrom: Head['nearFrom']
  readonly vectors: Made
}

/** Inserts vectors; those of removed chunks match no row and are skipped. */
export async function insertVectors(
  sql: SqlSession,
  { project, embedder, nearFrom, vectors }: VectorsInserted,
): Promise<void> {
  for (let at = 0; at < vectors.length; at += VECTORS_AT_ONCE) {
    const rows = vectors.slice(at, at + VECTORS_AT_ONCE).map(({ chunk, vector }) => ({
      chunk,
      scale: vector.scale,
      dimensions: vector.bytes.length,
      bytes: base64Of(vector),
      ...(nearFrom !== null && chunk >= nearFrom && { near: `[${vector.bytes.join(',')}]` }),
    }))
    await sql.query(nearFrom === null ? INSERT : INSERT_NEAR, [project, embedder, jsonText(rows)])
  }
}

const insert = (column: string, value: string): string => `
  INSERT INTO ken.index_vectors (project, embedder, chunk, document, dimensions, scale, bytes${column})
  SELECT $1, $2, r.chunk, d.id, r.dimensions, r.scale, decode(r.bytes, 'base64')${value}
  FROM jsonb_to_recordset($3::text::jsonb) AS r(chunk bigint, dimensions int, scale real, bytes text, near text)
  CROSS JOIN LATERAL (
    SELECT d.id, d.end_chunk FROM ken.index_documents d
    WHERE d.project = $1 AND d.chunks > 0 AND d.first_chunk <= r.chunk ORDER BY d.first_chunk DESC LIMIT 1
  ) AS d
  WHERE d.end_chunk > r.chunk
  ON CONFLICT (project, chunk, embedder) DO UPDATE
  SET dimensions = excluded.dimensions, scale = excluded.scale, bytes = excluded.bytes`
const INSERT = insert('', '')
const INSERT_NEAR = `${insert(', near', ', r.near::halfvec')}, near = excluded.near`

const base64Of = ({ bytes }: QuantizedVector): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** The chunks without a vector, in order of document and chunk. */
export const unembeddedChunks = (
  sql: SqlSession,
  { project, embedder, limit, after }: { project: string; embedder: string; limit: number; after: number },
): Promise<readonly UnembeddedChunk[]> => sql.query<UnembeddedChunk>(UNEMBEDDED, [project, embedder, after, limit])

const UNEMBEDDED = `
  WITH lacking AS (
    SELECT d.id, d.first_chunk, d.start_lines, d.end_lines, d.headings FROM ken.index_documents d
    WHERE d.project = $1 AND d.id > $3::bigint AND d.chunks > (
      SELECT count(*) FROM ken.index_vectors v
      WHERE v.project = $1 AND v.embedder = $2 AND v.chunk >= d.first_chunk AND v.chunk < d.end_chunk
    )
    ORDER BY d.id LIMIT $4::int
  )
  SELECT l.first_chunk + c.at - 1 AS id, c.start_line AS "startLine", c.end_line AS "endLine", c.heading, l.id AS document,
    (c.at - 1)::int AS at, (SELECT epoch FROM ken.index_heads WHERE project = $1) AS epoch
  FROM lacking l
  CROSS JOIN LATERAL unnest(l.start_lines, l.end_lines, l.headings) WITH ORDINALITY AS c(start_line, end_line, heading, at)
  WHERE NOT EXISTS (
    SELECT FROM ken.index_vectors v WHERE v.project = $1 AND v.embedder = $2 AND v.chunk = l.first_chunk + c.at - 1
  )
  ORDER BY l.id, c.at`
