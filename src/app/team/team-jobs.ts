import type { JobKind, NewJob } from '../../kernel/domain/jobs/job.ts'
import type { Jobs } from '../../kernel/ports/jobs.ts'
import { runJobs, type JobEvent, type JobHandler } from '../run-jobs.ts'
import { startWorkers, type Worker } from '../start-workers.ts'

export interface TeamJobs {
  readonly jobs: Jobs
  readonly handlers: Partial<Readonly<Record<JobKind, JobHandler>>>
  /** Puts in what has become due. Every replica asks; a job that waits already is the same job. */
  due(): Promise<void>
}

/** Jobs of no project: those of the server itself. No project has such an id. */
export const SERVER_JOBS = 'server'

const HOUR_MS = 60 * 60_000

/** What the server has to do at a time: chats at once, and on the hour whatever was kept long enough. */
export const serverJobs = (now: Date): readonly NewJob[] => [
  { kind: 'chat-upkeep', key: 'chats', payload: {} },
  {
    kind: 'deletion-expiry',
    key: 'retention',
    payload: {},
    runAt: new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS).toISOString(),
  },
]

const LOOK_EVERY_MS = 60_000
const AT_A_TIME = 2
/** Apart from the rest: whoever names a repository decides how long its host takes to answer. */
const PULLS_AT_A_TIME = 2

/** Does what a server does by itself, until it is stopped. */
export async function workForTeam(
  { jobs, handlers, due }: TeamJobs,
  tell: (event: JobEvent) => void,
  every = LOOK_EVERY_MS,
): Promise<Worker> {
  const look = (): void =>
    void due().catch((error: unknown) => tell({ event: 'trouble', reason: (error as Error).message }))
  const { 'context-pull': pull, ...others } = handlers
  const pulls = pull && { jobs, handlers: { 'context-pull': pull }, concurrency: PULLS_AT_A_TIME, tell }
  const workers = await startWorkers([
    () => runJobs({ jobs, handlers: others, concurrency: AT_A_TIME, tell }),
    ...(pulls ? [() => runJobs(pulls)] : []),
  ])
  look()
  const timer = setInterval(look, every)
  return {
    async stop() {
      clearInterval(timer)
      await workers.stop()
    },
  }
}

/** A line of the log; never what a job holds. */
export interface JobLine {
  readonly at: string
  readonly job: string
  readonly kind?: string
  readonly project?: string
  readonly reason?: string
}

const WORTH_A_LINE: ReadonlySet<JobEvent['event']> = new Set(['done', 'failed', 'laid aside', 'trouble'])

export const jobLine = (event: JobEvent, at: Date): JobLine | undefined =>
  WORTH_A_LINE.has(event.event)
    ? {
        at: at.toISOString(),
        job: event.event,
        ...('job' in event && { kind: event.job.kind, project: event.job.project }),
        ...('reason' in event && event.reason !== undefined && { reason: event.reason }),
      }
    : undefined
