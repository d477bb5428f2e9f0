import type { TestAttempt, TestRun } from '../domain/test-run.ts'

/** Test runs and the result of every case. Every backend passes test/contract/test-runs.contract.ts. */
export interface TestRuns {
  /**
   * Keeps the last 200 runs per user and project, the last 50 of them with checks, prompts, answers and calls; older
   * ones are removed. Throws `conflict` if the run exists.
   */
  start(run: TestRun): Promise<void>
  /**
   * Stores an attempt at once, so that an interrupted run can resume; the same case, model and attempt replaces it.
   * Long texts, lists and differences are cut. Throws `not_found` if the run does not exist.
   */
  add(attempt: TestAttempt): Promise<void>
  /** Throws `not_found` if the run does not exist. */
  end(run: string, end: NonNullable<TestRun['end']>): Promise<void>
  /** Resumes an ended or interrupted run. Throws `not_found` if it does not exist. */
  reopen(run: string): Promise<void>
  /** Undefined for another user's run. */
  find(id: string, user: string): Promise<TestRun | undefined>
  /** Newest first. */
  list(query: { readonly user: string; readonly project: string; readonly limit: number }): Promise<readonly TestRun[]>
  /** Attempts ordered by case, model and attempt; with `brief`, without checks, prompt, answer and calls. */
  attempts(run: string, how?: { readonly brief?: boolean }): Promise<readonly TestAttempt[]>
  /** Removes a run and its attempts; does nothing if it does not exist. */
  remove(run: string): Promise<void>
}
