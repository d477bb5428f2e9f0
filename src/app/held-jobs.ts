import type { TakenJob } from '../kernel/domain/jobs/job.ts'
import type { Jobs } from '../kernel/ports/jobs.ts'

export interface HeldJobs {
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

/** Keeps jobs alive while they run, and stops a job that another worker may have taken. */
export function openHeldJobs({
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
