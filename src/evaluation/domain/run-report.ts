import type { RunComparison } from './compare-runs.ts'
import type { RunSummary } from './summary.ts'

/** A run as it is told to people and programs, whatever the format. */
export interface RunReport {
  readonly summary: RunSummary
  /** Beside an earlier run, where one was named. */
  readonly comparison: RunComparison | undefined
  /** The last runs of the project, the oldest first, this one the last of them. */
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
  /** Undefined where no price is known. */
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
