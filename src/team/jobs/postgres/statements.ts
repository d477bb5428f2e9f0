/** $1 project, $2 rows, $3 now. Inserts in a fixed order, so that two calls with the same keys do not deadlock. */
export const PUT = `
  INSERT INTO ken.jobs AS job (project, id, kind, key, payload, put_at, due_at)
  SELECT $1, new.id, new.kind, new.key, new.payload, at.now, coalesce(new.run_at, at.now)
  FROM jsonb_to_recordset($2::text::jsonb) AS new(id text, kind text, key text, payload text, run_at timestamptz),
    (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now) at
  ORDER BY new.kind, new.key, new.id
  ON CONFLICT (project, kind, key) WHERE key IS NOT NULL AND laid_aside_at IS NULL DO UPDATE SET
    payload = CASE WHEN job.lease IS NULL THEN excluded.payload ELSE job.payload END,
    due_at = CASE WHEN job.lease IS NULL AND job.tries = 0 THEN least(job.due_at, excluded.due_at) ELSE job.due_at END,
    again = CASE WHEN job.lease IS NOT NULL THEN excluded.payload END,
    again_at = CASE WHEN job.lease IS NOT NULL THEN least(job.again_at, excluded.due_at) END`

/** $1 held jobs, $2 milliseconds, $3 now. */
export const KEEP = `
  WITH held AS (
    SELECT job.project, job.id FROM ken.jobs job
    JOIN jsonb_to_recordset($1::text::jsonb) AS asked(project text, id text, token bigint)
      ON job.project = asked.project AND job.id = asked.id AND job.lease = asked.token
    ORDER BY job.project, job.id FOR UPDATE OF job
  )
  UPDATE ken.jobs job
  SET due_at = coalesce($3::timestamptz, clock_timestamp()) + $2::float8 * interval '1 millisecond'
  FROM held WHERE job.project = held.project AND job.id = held.id
  RETURNING job.lease`

const HELD = 'project = $1 AND id = $2 AND lease = $3::bigint'

export const DELETE_DONE = `DELETE FROM ken.jobs WHERE ${HELD} AND again IS NULL RETURNING id`

export const DUE_AGAIN = `
  UPDATE ken.jobs SET payload = again, due_at = again_at, again = NULL, again_at = NULL, tries = 0, lease = NULL, reason = NULL
  WHERE ${HELD} AND again IS NOT NULL RETURNING id`

/**
 * $4 reason, $5 whether it was stopped, $6 the pause, $7 the maximum tries, $8 now. If a job was put under the same key
 * in the meantime, it starts from the first try.
 */
export const FAILED = `
  UPDATE ken.jobs SET
    lease = NULL,
    reason = $4,
    payload = coalesce(again, payload),
    tries = CASE WHEN again IS NOT NULL THEN 0 WHEN $5::boolean THEN tries - 1 ELSE tries END,
    due_at = greatest(again_at, at.now + $6::float8 * interval '1 millisecond'),
    laid_aside_at = CASE WHEN NOT $5::boolean AND again IS NULL AND tries >= $7::int THEN at.now END,
    again = NULL,
    again_at = NULL
  FROM (SELECT coalesce($8::timestamptz, clock_timestamp()) AS now) at
  WHERE ${HELD}
  RETURNING laid_aside_at IS NOT NULL AS aside, due_at AS due`

/** $1 project, $2 state, $3 limit, $4 now. */
export const LIST = `
  SELECT project, id, kind, key, state, tries, put_at AS "putAt", due_at AS "dueAt", reason
  FROM ken.jobs, LATERAL (
    SELECT CASE
      WHEN laid_aside_at IS NOT NULL THEN 'given up'
      WHEN lease IS NOT NULL AND due_at > coalesce($4::timestamptz, clock_timestamp()) THEN 'running'
      ELSE 'waiting' END AS state
  ) told
  WHERE ($1::text IS NULL OR project = $1) AND ($2::text IS NULL OR state = $2)
  ORDER BY due_at, project, id LIMIT $3::int`
