import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Head } from './head.ts'

/** Which projects are in the server's vector index. */
export interface NearPlan {
  /** A project with at most this many chunks is compared in full, which is as fast and avoids the cost of indexing. */
  readonly comparedWhole: number
}

/** A project with fewer chunks is compared in a few milliseconds; adding a vector to the index takes about two. */
export const COMPARED_WHOLE = 20_000

/** Older vectors added per new one, and the minimum per step. */
const [OLDER_FOR_EACH, LEAST_OLDER] = [2, 100]

export interface NearStep {
  readonly project: string
  readonly head: Head
  /** Undefined if the server has no vector index. */
  readonly near: NearPlan | undefined
  /** Number of vectors about to be written. */
  readonly coming: number
}

/**
 * Returns the first chunk with vectors in the index; null for none. A project that has become large is indexed
 * gradually: each write adds its new vectors and some older ones, so that no change waits for all of them.
 */
export async function stepNear(sql: SqlSession, { project, head, near, coming }: NearStep): Promise<Head['nearFrom']> {
  if (near === undefined) return null
  if (head.nearFrom === 0 || coming === 0) return head.nearFrom
  if (head.nearFrom === null && head.chunks <= near.comparedWhole) return null
  const before = head.nearFrom ?? head.nextChunk
  const [step] = await sql.query<{ from: number }>(STEP, [
    project,
    before,
    Math.max(LEAST_OLDER, coming * OLDER_FOR_EACH),
  ])
  return step!.from
}

/** The bytes of a vector as numbers, exact in half precision. */
const NUMBERS = `(
  SELECT array_agg((get_byte(v.bytes, i) # 128) - 128 ORDER BY i) FROM generate_series(0, v.dimensions - 1) AS i
)::halfvec`

const STEP = `
  WITH step AS (
    SELECT coalesce(min(chunk) FILTER (WHERE at = $3::int), 0) AS from
    FROM (
      SELECT chunk, row_number() OVER (ORDER BY chunk DESC) AS at FROM ken.index_vectors
      WHERE project = $1 AND chunk < $2::bigint ORDER BY chunk DESC LIMIT $3::int
    ) AS older
  ), filled AS (
    UPDATE ken.index_vectors v SET near = ${NUMBERS} FROM step
    WHERE v.project = $1 AND v.chunk >= step.from AND v.chunk < $2::bigint AND v.near IS NULL
  )
  UPDATE ken.index_heads h SET near_from = step.from FROM step WHERE h.project = $1 RETURNING near_from AS from`
