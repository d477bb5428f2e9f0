import type { Usage } from '../../kernel/domain/model-usage.ts'
import type { TableDifference } from './comparison.ts'
import type { TestCase } from './test-case.ts'

/** Case as found in a file. */
export interface FoundCase {
  /** File and name, e.g. `finance/revenue of march`; stable while both are. */
  readonly id: string
  /** Relative to the tests folder. */
  readonly file: string
  readonly line: number
  /** Hash of its content: a changed case is a different one. */
  readonly hash: string
  readonly test: TestCase
}

/** Entry of a test file that is not a valid case. */
export interface BrokenCase {
  readonly file: string
  readonly line: number
  /** Name of the entry, as far as known. */
  readonly name: string
  readonly fault: string
}

export interface TestRun {
  readonly id: string
  readonly user: string
  /** Owner of the tests: the id of a project, or of a folder without one. */
  readonly project: string
  /** Folder of the tests. */
  readonly folder: string
  readonly startedAt: string
  readonly models: readonly string[]
  /** Number of tries per case, unless the case sets it. */
  readonly runs: number
  /** Hash of all planned attempts; a run is only resumed with the same suite. */
  readonly suite: string
  /** Attempts needed for completion. */
  readonly planned: number
  /** Checked-out commit. */
  readonly commit?: string
  readonly version: string
  readonly broken: readonly BrokenCase[]
  /** Undefined while the run is active, and after a crash. */
  readonly end?: { readonly at: string; readonly reason: RunEnd }
}

/** `complete`: all attempts were made; `stopped`: by a person; `budget`: the budget was used up. */
export const RUN_ENDS = ['complete', 'stopped', 'budget'] as const
export type RunEnd = (typeof RUN_ENDS)[number]

/** One try of one case with one model. */
export interface TestAttempt {
  readonly run: string
  readonly case: string
  readonly hash: string
  readonly name: string
  readonly file: string
  readonly kind: TestCase['kind']
  readonly tags: readonly string[]
  /** Number of the case's runs that must pass. */
  readonly need: TestCase['need']
  /** `-` for kinds that use no model. */
  readonly model: string
  /** 1-based. */
  readonly attempt: number
  readonly outcome: Outcome
  readonly checks: readonly TestCheck[]
  readonly prompt: string
  /** Answer of the analyst or the operation. */
  readonly answer: string
  readonly calls: readonly ToolUse[]
  readonly usage: Usage
  readonly milliseconds: number
  readonly at: string
}

/** `broken`: the case itself cannot be run, e.g. its expected statement is rejected. */
export const OUTCOMES = ['passed', 'failed', 'broken'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** One expectation of a case, and whether it was met. */
export interface TestCheck {
  /** e.g. "contains 12,400". */
  readonly expects: string
  readonly passed: boolean
  /** The actual result. */
  readonly found?: string
  readonly difference?: TableDifference
}

export interface ToolUse {
  readonly tool: string
  readonly input: string
  readonly failed: boolean
  /** Beginning of the result. */
  readonly result: string
}
