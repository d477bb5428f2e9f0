import type { JobKind, NewJob } from '../../kernel/domain/jobs/job.ts'
import type { Jobs } from '../../kernel/ports/jobs.ts'
import { runJobs, startWorkers, type JobEvent, type JobHandler, type JobWorker, type Worker } from '../run-jobs.ts'

export interface TeamJobs {
  readonly jobs: Jobs
  readonly handlers: Partial<Readonly<Record<JobKind, JobHandler>>>
  /** Queues due jobs. Every replica calls this; a pending job is not queued twice. */
  due(): Promise<void>
}

/** Project of the server's own jobs. No project has such an id. */
export const SERVER_JOBS = 'server'

const HOUR_MS = 60 * 60_000

/** The server's jobs at a given time: chat upkeep immediately, and deletion of expired data on the hour. */
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
/** Concurrent jobs that wait for other hosts, separate from the rest: a host may take arbitrarily long to answer. */
const APART = { 'context-pull': 2, 'webhook-delivery': 8 } as const

/** Runs the server's background work until stopped. */
export async function workForTeam(
  { jobs, handlers, due }: TeamJobs,
  tell: (event: JobEvent) => void,
  every = LOOK_EVERY_MS,
): Promise<Worker> {
  const look = (): void =>
    void due().catch((error: unknown) => tell({ event: 'trouble', reason: (error as Error).message }))
  const kinds = Object.keys(handlers) as JobKind[]
  const isApart = (kind: JobKind): kind is keyof typeof APART => Object.hasOwn(APART, kind)
  const run = (some: readonly JobKind[], concurrency: number): Promise<JobWorker> =>
    runJobs({ jobs, handlers: Object.fromEntries(some.map((kind) => [kind, handlers[kind]])), concurrency, tell })
  const workers = await startWorkers([
    () =>
      run(
        kinds.filter((kind) => !isApart(kind)),
        AT_A_TIME,
      ),
    ...kinds.filter(isApart).map((kind) => () => run([kind], APART[kind])),
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

/** A log line; never the content of a job. */
export interface JobLine {
  readonly at: string
  readonly job: string
  readonly kind?: string
  readonly project?: string
  readonly reason?: string
}

const WORTH_A_LINE: ReadonlySet<JobEvent['event']> = new Set(['done', 'failed', 'given up', 'trouble'])

export const jobLine = (event: JobEvent, at: Date): JobLine | undefined =>
  WORTH_A_LINE.has(event.event)
    ? {
        at: at.toISOString(),
        job: event.event,
        ...('job' in event && { kind: event.job.kind, project: event.job.project }),
        ...('reason' in event && event.reason !== undefined && { reason: event.reason }),
      }
    : undefined
