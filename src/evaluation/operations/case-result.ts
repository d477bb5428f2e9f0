import { AppError } from '../../kernel/domain/errors.ts'
import { NO_USAGE } from '../../kernel/domain/model-usage.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { TestAttempt, TestCheck } from '../domain/test-run.ts'

/** Result of one try of a case of any kind. */
export type CaseResult = Pick<TestAttempt, 'outcome' | 'checks' | 'answer' | 'calls' | 'usage'>

/** Result of an operation, passed or failed by its checks. */
export const judged = (checks: readonly TestCheck[], answer: string): CaseResult => ({
  outcome: checks.every(({ passed }) => passed) ? 'passed' : 'failed',
  checks,
  answer,
  calls: [],
  usage: NO_USAGE,
})

/** The case itself cannot be run; `fault` contains the reason and the next step. */
export const brokenCase = (fault: string): CaseResult => ({
  outcome: 'broken',
  checks: [{ expects: 'can be run', passed: false, found: fault }],
  answer: '',
  calls: [],
  usage: NO_USAGE,
})

/**
 * Turns an error into a broken case, because it does not show whether the answer is right; only a person's stop is
 * rethrown.
 */
export async function orBroken(run: () => Promise<CaseResult>): Promise<CaseResult> {
  try {
    return await run()
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code === 'stopped') throw thrown
    return brokenCase(error.line)
  }
}

/** Error for a case that refers to something unknown and so would always pass, or never. */
export const unfitCase = (fault: string, hint: string): AppError => new AppError('invalid_input', fault, { hint })
