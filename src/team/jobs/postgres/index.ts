import { pauseAfter, MOST_TRIES, type ListedJob, type TakenJob } from '../../../kernel/domain/jobs/job.ts'
import { jobRows, keptReason } from '../../../kernel/domain/jobs/new-jobs.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { Jobs } from '../../../kernel/ports/jobs.ts'
import type { SqlDatabase, SqlValue } from '../../../kernel/ports/sql-database.ts'
import { DELETE_DONE, DUE_AGAIN, FAILED, KEEP, LIST, PUT } from './statements.ts'
import { takeJobs } from './take-jobs.ts'

const CHANNEL = 'ken_jobs'
const TELL = `SELECT pg_notify('${CHANNEL}', kind) FROM jsonb_array_elements_text($1::text::jsonb) AS kind`

export interface PostgresJobsOptions {
  readonly clock: Pick<Clock, 'ulid'>
  /**
   * Defaults to the database server's clock, because the clocks of processes differ and leases would end at the wrong
   * time.
   */
  readonly now?: () => Date
}

/**
 * A queue of rows that workers in many processes take concurrently; a dead worker loses its jobs when its lease ends.
 */
export function openPostgresJobs(database: SqlDatabase, { clock, now }: PostgresJobsOptions): Jobs {
  const time = (): string | null => now?.().toISOString() ?? null
  const ask = <Row extends object>(project: string, text: string, values: readonly SqlValue[]) =>
    database.transaction({ project }, (sql) => sql.query<Row>(text, values))
  const held = ({ project, id, lease }: TakenJob) => [project, id, lease] as const
  return {
    async put(project, jobs) {
      const rows = jobRows(jobs).map((row) => ({ ...row, id: clock.ulid(), run_at: row.runAt }))
      if (rows.length === 0) return
      const kinds = [...new Set(rows.map(({ kind }) => kind))]
      await database.transaction({ project }, async (sql) => {
        await sql.query(PUT, [project, JSON.stringify(rows), time()])
        await sql.query(TELL, [JSON.stringify(kinds)])
      })
    },
    take: (wanted) => database.transaction('server', (sql) => takeJobs(sql, wanted, time())),
    async keep(jobs, lease) {
      const asked = JSON.stringify(jobs.map(({ project, id, lease: token }) => ({ project, id, token })))
      const kept = await database.transaction('server', (sql) =>
        sql.query<{ lease: number }>(KEEP, [asked, lease, time()]),
      )
      const leases = new Set(kept.map((row) => row.lease))
      return jobs.filter((job) => leases.has(job.lease))
    },
    done: (job) =>
      database.transaction({ project: job.project }, async (sql) => {
        // A concurrent put under the same key either waits for this row or prevents its deletion.
        if ((await sql.query(DELETE_DONE, held(job))).length > 0) return true
        const again = await sql.query(DUE_AGAIN, held(job))
        if (again.length > 0) await sql.query(TELL, [JSON.stringify([job.kind])])
        return again.length > 0
      }),
    failed: (job, { reason, stopped = false }) =>
      database.transaction({ project: job.project }, async (sql) => {
        const pause = stopped ? 0 : pauseAfter(job.tries)
        const values = [...held(job), keptReason(reason), stopped, pause, MOST_TRIES, time()]
        const [row] = await sql.query<{ aside: boolean; due: string }>(FAILED, values)
        if (row === undefined) return { next: 'lost' }
        if (stopped) await sql.query(TELL, [JSON.stringify([job.kind])])
        return row.aside ? { next: 'given up' } : { next: 'again', dueAt: row.due }
      }),
    async list({ project, state, limit }) {
      const values = [project ?? null, state ?? null, limit, time()]
      const scope = project === undefined ? 'server' : { project }
      const rows = await database.transaction(scope, (sql) => sql.query<Nullable<ListedJob>>(LIST, values))
      return rows.map(
        ({ key, reason, ...row }) => ({ ...row, ...(key && { key }), ...(reason && { reason }) }) as ListedJob,
      )
    },
    drop: async (project, id) =>
      (await ask(project, 'DELETE FROM ken.jobs WHERE project = $1 AND id = $2 RETURNING id', [project, id])).length >
      0,
    listen: (heard) => database.listen(CHANNEL, heard),
  }
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null }
