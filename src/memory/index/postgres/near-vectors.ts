import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Head } from './head.ts'

/** Which projects stand in the server's index of vectors. */
export interface NearPlan {
  /** A project with no more chunks is compared whole, which is as quick, and spares it what a place in the index costs. */
  readonly comparedWhole: number
}

/** A project with fewer chunks is compared in some milliseconds; putting a vector into the index takes about two. */
export const COMPARED_WHOLE = 20_000

/** How many older vectors follow for each that comes, and at least at a time. */
const [OLDER_FOR_EACH, LEAST_OLDER] = [2, 100]

export interface NearStep {
  readonly project: string
  readonly head: Head
  /** Without it the server has no index of vectors. */
  readonly near: NearPlan | undefined
  /** How many vectors are about to be written. */
  readonly coming: number
}

/**
 * From which chunk on vectors stand in the index, null for none. A project that has become large gets there with what
 * is written to it: what comes goes in, and some of what is older with it, so that no change waits for all of it.
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

/** The bytes of a vector as numbers, which a half holds exactly. */
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
