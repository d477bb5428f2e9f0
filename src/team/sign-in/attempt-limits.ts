import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { AttemptLimits } from '../ports/sign-in.ts'

const KEPT_MS = 24 * 60 * 60_000

export const openAttemptLimits = (database: SqlDatabase): AttemptLimits => ({
  count: (buckets, { now, minutes }) =>
    database.transaction('server', async (sql) => {
      const [time, span] = [Date.parse(now), minutes * 60_000]
      const start = new Date(Math.floor(time / span) * span).toISOString()
      await sql.query('DELETE FROM ken.attempts WHERE span < $1', [new Date(time - KEPT_MS).toISOString()])
      // In a fixed order, so that two concurrent calls do not deadlock.
      const rows = await sql.query<{ bucket: string; count: number }>(
        `INSERT INTO ken.attempts AS a (bucket, span, count)
         SELECT value, $2::timestamptz, 1 FROM jsonb_array_elements_text($1::text::jsonb) ORDER BY value
         ON CONFLICT (bucket, span) DO UPDATE SET count = least(a.count + 1, 1000000) RETURNING bucket, count`,
        [JSON.stringify([...new Set(buckets.map(({ name }) => name))]), start],
      )
      return buckets.every(({ name, most }) => rows.some(({ bucket, count }) => bucket === name && count <= most))
    }),
})
