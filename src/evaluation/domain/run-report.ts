import type { RunComparison } from './compare-runs.ts'
import type { RunSummary } from './summary.ts'

/** Run as reported to people and programs, in any format. */
export interface RunReport {
  readonly summary: RunSummary
  /** Comparison with an earlier run, if one was named. */
  readonly comparison: RunComparison | undefined
  /** Last runs of the project, oldest first, ending with this one. */
  readonly history: readonly RunPoint[]
}

/** One run among others over time. */
export interface RunPoint {
  readonly id: string
  readonly startedAt: string
  readonly models: readonly string[]
  readonly cases: number
  readonly passed: number
  readonly passRate: number | null
  /** Undefined if no price is known. */
  readonly cost: number | undefined
  readonly isComplete: boolean
}

export const pointOf = ({ run, total }: RunSummary): RunPoint => ({
  id: run.id,
  startedAt: run.startedAt,
  models: run.models,
  cases: total.cases,
  passed: total.passed,
  passRate: total.passRate,
  cost: total.usage.cost,
  isComplete: run.end?.reason === 'complete',
})
