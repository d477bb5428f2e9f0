import type { JobKind, TakenJob } from '../kernel/domain/jobs/job.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Jobs } from '../kernel/ports/jobs.ts'

export type JobHandler = (job: TakenJob, signal: AbortSignal) => Promise<void>

export type JobEvent =
  | {
      readonly event: 'taken' | 'done' | 'lost' | 'stopped' | 'given up'
      readonly job: TakenJob
      readonly reason?: string
    }
  | { readonly event: 'failed'; readonly job: TakenJob; readonly reason: string; readonly dueAt: string }
  /** The queue itself is unreachable; the worker keeps retrying. */
  | { readonly event: 'trouble'; readonly reason: string }

export interface JobWorkerOptions {
  readonly jobs: Jobs
  readonly handlers: Partial<Readonly<Record<JobKind, JobHandler>>>
  /** Maximum concurrent jobs. */
  readonly concurrency: number
  /** Lease duration in milliseconds; a dead worker blocks its jobs for this long. */
  readonly lease?: number
  /** Polling interval in milliseconds, independent of notifications. */
  readonly poll?: number
  /** Milliseconds for running jobs to finish when the worker stops. */
  readonly grace?: number
  readonly tell: (event: JobEvent) => void
}

export interface JobWorker {
  /**
   * Takes no more jobs, lets running ones finish, stops those that exceed the grace and returns them to the queue. A
   * job that ignores its signal stays leased, because otherwise two workers would run it.
   */
  stop(): Promise<void>
}

const [LEASE_MS, POLL_MS, GRACE_MS, LAST_WAIT_MS, TROUBLE_PAUSE_MS] = [60_000, 5_000, 20_000, 5_000, 1_000]

/** Takes jobs of the kinds that have a handler and runs them concurrently until stopped. */
export async function runJobs(options: JobWorkerOptions): Promise<JobWorker> {
  const { jobs, handlers, concurrency, lease = LEASE_MS, poll = POLL_MS, grace = GRACE_MS, tell } = options
  const kinds = Object.keys(handlers) as JobKind[]
  const held = openHeldJobs({ jobs, lease, trouble: (error) => tell({ event: 'trouble', reason: reasonOf(error) }) })
  const running = new Set<Promise<void>>()
  const news = openBell()
  const subscription = await jobs.listen((kind) => {
    if (kind === undefined || (kinds as string[]).includes(kind)) news.ring()
  })
  let isStopping = false
  const start = (job: TakenJob, since: number): void => {
    tell({ event: 'taken', job })
    const run = runOne(job, held.hold(job, since), { jobs, handler: handlers[job.kind]!, held, tell }).finally(() => {
      running.delete(run)
      news.ring()
    })
    running.add(run)
  }
  const takeSome = async (): Promise<number> => {
    const most = concurrency - running.size
    if (most <= 0) return 0
    const since = performance.now()
    const taken = await jobs.take({ kinds, most, lease })
    for (const job of taken) start(job, since)
    return taken.length
  }
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const bell = news.next()
      let pause = poll
      const found = await takeSome().catch((error: unknown) => {
        tell({ event: 'trouble', reason: reasonOf(error) })
        pause = Math.min(poll, TROUBLE_PAUSE_MS)
        return 0
      })
      if (found === 0 && !isStopping) await within(bell, pause)
    }
  }
  const looping = loop()
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    isStopping = true
    news.ring()
    await looping
    await within(Promise.all(running), grace)
    held.stopAll()
    await within(Promise.all(running), LAST_WAIT_MS)
    held.close()
    await subscription.close()
  }
  return { stop: () => (stopped ??= stop()) }
}

async function runOne(
  job: TakenJob,
  signal: AbortSignal,
  { jobs, handler, held, tell }: Pick<JobWorkerOptions, 'jobs' | 'tell'> & { handler: JobHandler; held: HeldJobs },
): Promise<void> {
  try {
    const thrown = await (async () => handler(job, signal))().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    // Reported even if the lease seems to have expired: only the queue can decide whether another worker has the job.
    if (thrown === undefined) return tell({ event: (await settled(() => jobs.done(job))) ? 'done' : 'lost', job })
    const reason = reasonOf(thrown.error)
    const after = await settled(() => jobs.failed(job, { reason, stopped: signal.aborted }))
    if (after.next !== 'again') return tell({ event: after.next, job, reason })
    tell(signal.aborted ? { event: 'stopped', job } : { event: 'failed', job, reason, dueAt: after.dueAt })
  } catch (error) {
    // The job's result could not be stored, so its lease expires and it is run again.
    tell({ event: 'trouble', reason: reasonOf(error) })
  } finally {
    held.release(job)
  }
}

/**
 * Retries once after a database failure. If the first try succeeded after all, the second is `lost`, which is harmless.
 */
async function settled<T>(settle: () => Promise<T>): Promise<T> {
  return settle().catch(async (error: unknown) => {
    if (toAppError(error).code !== 'unavailable') throw error
    await within(new Promise(() => undefined), TROUBLE_PAUSE_MS)
    return settle()
  })
}

const reasonOf = (error: unknown): string => toAppError(error).message

async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise<void>((late) => (timer = setTimeout(late, milliseconds)))])
  clearTimeout(timer)
}

/** Call `next` before checking, so that an event during the check is not missed. */
function openBell(): { ring(): void; next(): Promise<void> } {
  let rung = Promise.withResolvers<void>()
  return {
    ring() {
      rung.resolve()
      rung = Promise.withResolvers()
    },
    next: () => rung.promise,
  }
}

interface HeldJobs {
  /**
   * Holds a job. `since` is the time of the request, by `performance.now()`. The signal aborts if the job is lost or to
   * be stopped.
   */
  hold(job: TakenJob, since: number): AbortSignal
  release(job: TakenJob): void
  stopAll(): void
  close(): void
}

interface Held {
  readonly stop: AbortController
  /**
   * End of the hold by the clock of this process; it was started before the database's, so it ends no later than the
   * lease.
   */
  until: number
  isLost: boolean
}

/** Extends the leases of running jobs, and stops a job that another worker may have taken. */
function openHeldJobs({
  jobs,
  lease,
  trouble,
}: {
  readonly jobs: Pick<Jobs, 'keep'>
  readonly lease: number
  readonly trouble: (error: unknown) => void
}): HeldJobs {
  const held = new Map<TakenJob, Held>()
  let isAsking = false
  const lose = (one: Held): void => {
    one.isLost = true
    one.stop.abort()
  }
  const keepAlive = async (): Promise<void> => {
    const since = performance.now()
    for (const one of held.values()) if (one.until <= since) lose(one)
    const alive = [...held.keys()].filter((job) => held.get(job)?.isLost === false)
    if (alive.length === 0 || isAsking) return
    isAsking = true
    try {
      const kept = new Set(await jobs.keep(alive, lease))
      for (const job of alive) {
        const one = held.get(job)
        if (one === undefined) continue
        if (kept.has(job)) one.until = since + lease
        else lose(one)
      }
    } catch (error) {
      trouble(error)
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void keepAlive(), lease / 4)
  return {
    hold(job, since) {
      const stop = new AbortController()
      held.set(job, { stop, until: since + lease, isLost: false })
      return stop.signal
    },
    release: (job) => void held.delete(job),
    stopAll() {
      for (const { stop } of held.values()) stop.abort()
    },
    close: () => clearInterval(timer),
  }
}

export interface Worker {
  /** Takes no more jobs, and waits until running ones finish. */
  stop(): Promise<void>
}

/** Starts workers one after the other. If one cannot start, the previous ones are stopped: all of them run, or none. */
export async function startWorkers(starts: readonly (() => Promise<Worker>)[]): Promise<Worker> {
  const started: Worker[] = []
  const stop = async (): Promise<void> => void (await Promise.all(started.map((worker) => worker.stop())))
  try {
    for (const start of starts) started.push(await start())
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
