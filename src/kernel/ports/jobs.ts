import type { JobKind, JobState, ListedJob, NewJob, TakenJob } from '../domain/jobs/job.ts'
import type { Subscription } from './sql-database.ts'

export interface JobsWanted {
  readonly kinds: readonly JobKind[]
  readonly most: number
  /** Milliseconds that a worker holds a job before another may claim it. */
  readonly lease: number
}

/** State of a job after a failure. `lost`: this worker no longer held it. */
export type AfterFailure = { readonly next: 'again'; readonly dueAt: string } | { readonly next: 'given up' | 'lost' }

/**
 * Pending work that any process may do. A job is done at least once, and by one worker at a time unless a lease
 * expired. Every back end passes test/contract/jobs.contract.ts.
 */
export interface Jobs {
  /**
   * Adds all of them atomically. A job already pending under the same key gets the newer payload and the earlier time,
   * but no shorter pause after a failure; a running one is run once more afterwards. Throws `invalid_input` for values
   * out of bounds.
   */
  put(project: string, jobs: readonly NewJob[]): Promise<void>
  /**
   * Up to `most` due jobs, perhaps fewer than there are, and none only if none is due. Projects take turns: the least
   * recently served comes first, however many jobs another has. A job whose workers died on every try is set aside.
   */
  take(wanted: JobsWanted): Promise<readonly TakenJob[]>
  /** Extends the lease to `lease` milliseconds from now, and returns the jobs still held. */
  keep(jobs: readonly TakenJob[], lease: number): Promise<readonly TakenJob[]>
  /** Returns false if this worker no longer holds the job: another worker is running it or has run it. */
  done(job: TakenJob): Promise<boolean>
  /**
   * Retries a job after a growing pause, and sets it aside after the last try. A `stopped` job did not fail: it is due
   * at once, and the try does not count.
   */
  failed(job: TakenJob, why: { readonly reason: string; readonly stopped?: boolean }): Promise<AfterFailure>
  /** Jobs in order of due time, oldest first; those of all projects if none is given. */
  list(query: {
    readonly project?: string
    readonly state?: JobState
    readonly limit: number
  }): Promise<readonly ListedJob[]>
  /** Removes a job in any state; a worker running it finds out at its next `keep`. Returns false if there is none. */
  drop(project: string, id: string): Promise<boolean>
  /**
   * Reports the kind of each job added or returned, and undefined if a notification may have been missed. Jobs becoming
   * due are not reported, so a waiting worker must also poll.
   */
  listen(heard: (kind: string | undefined) => void): Promise<Subscription>
}
