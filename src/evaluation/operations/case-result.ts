import { AppError } from '../../kernel/domain/errors.ts'
import { NO_USAGE } from '../../kernel/domain/model-usage.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { TestAttempt, TestCheck } from '../domain/test-run.ts'

/** What came of one try of a case, whatever its kind. */
export type CaseResult = Pick<TestAttempt, 'outcome' | 'checks' | 'answer' | 'calls' | 'usage'>

/** What an operation answered, and whether it is what the case expects. */
export const judged = (checks: readonly TestCheck[], answer: string): CaseResult => ({
  outcome: checks.every(({ passed }) => passed) ? 'passed' : 'failed',
  checks,
  answer,
  calls: [],
  usage: NO_USAGE,
})

/** The case itself cannot be run; `fault` says why and what to do. */
export const brokenCase = (fault: string): CaseResult => ({
  outcome: 'broken',
  checks: [{ expects: 'can be run', passed: false, found: fault }],
  answer: '',
  calls: [],
  usage: NO_USAGE,
})

/** What cannot be asked says nothing of what would have been answered; only a person's stop goes on up. */
export async function orBroken(run: () => Promise<CaseResult>): Promise<CaseResult> {
  try {
    return await run()
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code === 'stopped') throw thrown
    return brokenCase(error.line)
  }
}

/** For what a case names and nothing has: it would pass for ever, or never. */
export const unfitCase = (fault: string, hint: string): AppError => new AppError('invalid_input', fault, { hint })
