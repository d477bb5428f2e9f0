import type { TestAttempt, TestRun } from '../core/evaluation/test-run.ts'

/** Runs of tests and what came of every case. Every back end passes test/contract/test-runs.contract.ts. */
export interface TestRuns {
  start(run: TestRun): Promise<void>
  /** Kept at once, so that a run that is cut off can go on; the same case, model and attempt again replaces it. */
  add(attempt: TestAttempt): Promise<void>
  end(run: string, end: NonNullable<TestRun['end']>): Promise<void>
  /** One that was ended or cut off goes on. */
  reopen(run: string): Promise<void>
  find(id: string, user: string): Promise<TestRun | undefined>
  /** Newest first. */
  list(query: { readonly user: string; readonly project: string; readonly limit: number }): Promise<readonly TestRun[]>
  /** In the order of case, model, attempt. */
  attempts(run: string): Promise<readonly TestAttempt[]>
  remove(run: string): Promise<void>
}
