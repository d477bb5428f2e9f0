import type { Usage } from '../../kernel/domain/model-usage.ts'
import type { TableDifference } from './comparison.ts'
import type { TestCase } from './test-case.ts'

/** A case as it was found in a file. */
export interface FoundCase {
  /** File and name, e.g. `finance/revenue of march`: the same as long as both are. */
  readonly id: string
  /** Below the folder of tests. */
  readonly file: string
  readonly line: number
  /** Of everything that it says: a case that was changed is another one. */
  readonly hash: string
  readonly test: TestCase
}

/** Something in a file of tests that is no case. */
export interface BrokenCase {
  readonly file: string
  readonly line: number
  /** What it is called, as far as that can be told. */
  readonly name: string
  readonly fault: string
}

/** One run of a suite. */
export interface TestRun {
  readonly id: string
  readonly user: string
  /** Whose tests: the id of a project, or of a folder that belongs to none. */
  readonly project: string
  /** The folder of the tests. */
  readonly folder: string
  readonly startedAt: string
  readonly models: readonly string[]
  /** How often each case is tried, where it does not say it itself. */
  readonly runs: number
  /** Of all cases that were chosen; a run is resumed only by the same suite. */
  readonly suite: string
  /** Attempts that it takes to be complete. */
  readonly planned: number
  /** The commit that was checked out. */
  readonly commit?: string
  readonly version: string
  readonly broken: readonly BrokenCase[]
  /** Undefined while it runs, and after a crash. */
  readonly end?: { readonly at: string; readonly reason: RunEnd }
}

/** `complete`; `stopped` by a person; `budget`: what may be spent was spent. */
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
  /** How many of its runs must pass. */
  readonly need: TestCase['need']
  /** `-` for kinds that ask no model. */
  readonly model: string
  /** From 1. */
  readonly attempt: number
  readonly outcome: Outcome
  readonly checks: readonly TestCheck[]
  readonly prompt: string
  /** What the analyst, or the operation, answered. */
  readonly answer: string
  readonly calls: readonly ToolUse[]
  readonly usage: Usage
  readonly milliseconds: number
  readonly at: string
}

/** `broken`: the case itself cannot be run, e.g. its expected statement is refused. */
export const OUTCOMES = ['passed', 'failed', 'broken'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** One thing that a case expects, and whether it held. */
export interface TestCheck {
  /** e.g. "contains 12,400". */
  readonly expects: string
  readonly passed: boolean
  /** What was found instead. */
  readonly found?: string
  readonly difference?: TableDifference
}

export interface ToolUse {
  readonly tool: string
  readonly input: string
  readonly failed: boolean
  /** The beginning of what came back. */
  readonly result: string
}
