import type { JobKind } from '../../core/jobs/job.ts'
import type { Jobs } from '../../ports/jobs.ts'
import { runJobs, type JobEvent, type JobHandler, type JobWorker } from '../run-jobs.ts'

/** Work of a server by its kind; each part of the server adds its own. */
export type TeamHandlers = Partial<Readonly<Record<JobKind, JobHandler>>>

/** A line of the log; never what a job holds. */
export interface JobLine {
  readonly at: string
  readonly job: string
  readonly kind?: string
  readonly project?: string
  readonly reason?: string
}

export interface TeamJobsOptions {
  readonly jobs: Jobs
  readonly handlers: readonly TeamHandlers[]
  readonly now: () => Date
  readonly log: (line: JobLine) => void
}

/** Two: a job is mostly waiting for the database, and a replica is there for its callers. */
const AT_A_TIME = 2

/** The worker of a replica. A kind that two parts handle is a mistake of ours. */
export async function runTeamJobs({ jobs, handlers, now, log }: TeamJobsOptions): Promise<JobWorker> {
  const all: Record<string, JobHandler> = {}
  for (const [kind, handler] of handlers.flatMap((own) => Object.entries(own))) {
    if (Object.hasOwn(all, kind)) throw new Error(`two handlers for the job ${kind}`)
    all[kind] = handler
  }
  return runJobs({
    jobs,
    handlers: all,
    concurrency: AT_A_TIME,
    tell: (event) => {
      if (WORTH_A_LINE.has(event.event)) log(lineOf(event, now()))
    },
  })
}

const WORTH_A_LINE: ReadonlySet<JobEvent['event']> = new Set(['done', 'failed', 'laid aside', 'trouble'])

const lineOf = (event: JobEvent, at: Date): JobLine => ({
  at: at.toISOString(),
  job: event.event,
  ...('job' in event && { kind: event.job.kind, project: event.job.project }),
  ...('reason' in event && event.reason !== undefined && { reason: event.reason }),
})
