import type { JobKind, JobState, ListedJob, NewJob, TakenJob } from '../domain/jobs/job.ts'
import type { Subscription } from './sql-database.ts'

export interface JobsWanted {
  readonly kinds: readonly JobKind[]
  readonly most: number
  /** Milliseconds that a job is the taker's before another may take it. */
  readonly lease: number
}

/** What became of a job that failed. `lost`: it was no longer this worker's to tell. */
export type AfterFailure = { readonly next: 'again'; readonly dueAt: string } | { readonly next: 'laid aside' | 'lost' }

/**
 * Work that waits, for any process to do. A job is done at least once, and by one worker at a time unless a lease ran
 * out. Every back end passes test/contract/jobs.contract.ts.
 */
export interface Jobs {
  /**
   * All of them land or none. A job that waits already, by its key, gets the newer payload and the earlier time, but no
   * shorter pause after a failure; one that runs now is done once more afterwards. Throws `invalid_input` for what is
   * out of bounds.
   */
  put(project: string, jobs: readonly NewJob[]): Promise<void>
  /**
   * Up to `most` that are due, perhaps fewer than there are, and none only when there is none. Projects take turns: one
   * that was served least lately comes first, however many jobs another has. One whose workers died on every try is laid aside.
   */
  take(wanted: JobsWanted): Promise<readonly TakenJob[]>
  /** Holds them for `lease` milliseconds from now, and gives those that are still the taker's. */
  keep(jobs: readonly TakenJob[], lease: number): Promise<readonly TakenJob[]>
  /** False when it was no longer the taker's: another does it, or did. */
  done(job: TakenJob): Promise<boolean>
  /**
   * Tried again after a pause that grows, and laid aside after the last try. One that was `stopped` did not fail: it is
   * due at once, and the try does not count.
   */
  failed(job: TakenJob, why: { readonly reason: string; readonly stopped?: boolean }): Promise<AfterFailure>
  /** Oldest due first; those of all projects without one. */
  list(query: {
    readonly project?: string
    readonly state?: JobState
    readonly limit: number
  }): Promise<readonly ListedJob[]>
  /** Gone, whatever its state; a worker that runs it learns it when it next keeps it. False when there is none. */
  drop(project: string, id: string): Promise<boolean>
  /**
   * Hears the kind of what is put in or given back, and undefined when something may have been missed. Nothing tells of
   * jobs whose time comes, so whoever waits looks from time to time as well.
   */
  listen(heard: (kind: string | undefined) => void): Promise<Subscription>
}
