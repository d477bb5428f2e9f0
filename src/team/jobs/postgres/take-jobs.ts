import { MOST_TRIES, NEVER_CAME_BACK, type TakenJob } from '../../../kernel/domain/jobs/job.ts'
import type { JobsWanted } from '../../../kernel/ports/jobs.ts'
import type { SqlSession } from '../../../kernel/ports/sql-database.ts'

export async function takeJobs(
  sql: SqlSession,
  { kinds, most, lease }: JobsWanted,
  now: string | null,
): Promise<readonly TakenJob[]> {
  await sql.query(LAY_ASIDE, [NEVER_CAME_BACK, MOST_TRIES, now])
  const rows = await sql.query<Omit<TakenJob, 'payload'> & { readonly payload: string }>(TAKE, [
    JSON.stringify(kinds),
    most,
    lease,
    now,
  ])
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown }))
}

/**
 * Sets aside jobs that killed every process that tried them; a job put under the same key meanwhile starts from the
 * first try.
 */
const LAY_ASIDE = `
  UPDATE ken.jobs SET
    lease = NULL,
    reason = $1,
    laid_aside_at = CASE WHEN again IS NULL THEN at.now END,
    tries = CASE WHEN again IS NULL THEN tries ELSE 0 END,
    payload = coalesce(again, payload),
    due_at = coalesce(again_at, due_at),
    again = NULL,
    again_at = NULL
  FROM (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now) at
  WHERE lease IS NOT NULL AND laid_aside_at IS NULL AND due_at <= at.now AND tries >= $2::int`

// Steps from one project to the next by the index, so that a project with many jobs costs one step; then takes one job
// from each, or an even share if there are fewer projects than jobs wanted. The kinds are an array, because a join with
// them would sort the whole queue of a project, which took half a second at 100,000 jobs.
const TAKE = `
  WITH RECURSIVE at AS MATERIALIZED (SELECT coalesce($4::timestamptz, clock_timestamp()) AS now),
  first AS (
    (SELECT project, due_at FROM ken.jobs WHERE laid_aside_at IS NULL ORDER BY project, due_at LIMIT 1)
    UNION ALL
    SELECT next.project, next.due_at FROM first, LATERAL (
      SELECT project, due_at FROM ken.jobs
      WHERE laid_aside_at IS NULL AND project > first.project ORDER BY project, due_at LIMIT 1
    ) next
  ),
  queues AS MATERIALIZED (
    SELECT project, ceil($2::float8 / count(*) OVER ())::bigint AS share
    FROM first JOIN at ON first.due_at <= at.now LEFT JOIN ken.job_turns USING (project)
    ORDER BY turn NULLS FIRST, project
  ),
  chosen AS MATERIALIZED (
    SELECT job.project, job.id FROM queues, at, LATERAL (
      SELECT project, id FROM ken.jobs
      WHERE project = queues.project AND laid_aside_at IS NULL AND due_at <= at.now
        AND kind = ANY (ARRAY(SELECT jsonb_array_elements_text($1::text::jsonb)))
      ORDER BY due_at, id LIMIT queues.share FOR UPDATE SKIP LOCKED
    ) job LIMIT $2::bigint
  ),
  served AS (
    INSERT INTO ken.job_turns (project, turn)
    SELECT project, nextval('ken.job_turn_numbers') FROM (SELECT DISTINCT project FROM chosen ORDER BY project) one
    ON CONFLICT (project) DO UPDATE SET turn = excluded.turn
  )
  UPDATE ken.jobs job SET
    tries = job.tries + 1,
    lease = nextval('ken.job_turn_numbers'),
    due_at = at.now + $3::float8 * interval '1 millisecond'
  FROM chosen, at WHERE job.project = chosen.project AND job.id = chosen.id
  RETURNING job.project, job.id, job.kind, job.payload, job.tries, job.lease`
