import type { TestAttempt, TestRun } from '../domain/test-run.ts'

/** Runs of tests and what came of every case. Every back end passes test/contract/test-runs.contract.ts. */
export interface TestRuns {
  /**
   * Of each user's project the last 200 are kept, the last 50 of them with checks, prompts, answers and calls; older
   * ones make room. Throws `conflict` for one that there is.
   */
  start(run: TestRun): Promise<void>
  /**
   * Kept at once, so that a run that is cut off can go on; the same case, model and attempt again replaces it. Long
   * texts, lists and differences are cut. Throws `not_found` without its run.
   */
  add(attempt: TestAttempt): Promise<void>
  /** Throws `not_found` without one. */
  end(run: string, end: NonNullable<TestRun['end']>): Promise<void>
  /** One that was ended or cut off goes on. Throws `not_found` without one. */
  reopen(run: string): Promise<void>
  /** Undefined for that of another user. */
  find(id: string, user: string): Promise<TestRun | undefined>
  /** Newest first. */
  list(query: { readonly user: string; readonly project: string; readonly limit: number }): Promise<readonly TestRun[]>
  /** In the order of case, model, attempt; `brief` without checks, prompt, answer and calls. */
  attempts(run: string, how?: { readonly brief?: boolean }): Promise<readonly TestAttempt[]>
  /** With its attempts; nothing happens without one. */
  remove(run: string): Promise<void>
}
