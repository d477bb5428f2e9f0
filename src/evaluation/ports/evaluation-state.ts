import type { AnalystState } from '../../analyst/ports/analyst-state.ts'
import type { TestRuns } from './test-runs.ts'

/** The analyst's state, plus the test runs kept in the same database. */
export interface EvaluationState extends AnalystState {
  readonly runs: TestRuns
}
