/** One figure of a suite: the measure, its questions, and the result of another system on the same questions. */
export interface Figure {
  readonly set: string
  /** `kept back`: held out from tuning. `all`: the set has no halves. */
  readonly half: Half
  readonly measure: string
  /** A share, a mean, or, with `of`, a number of cases. */
  readonly value: number
  readonly of?: number
  readonly better: 'higher' | 'lower'
  /** Another system on the same cases, in the same unit. */
  readonly peer?: { readonly name: string; readonly value: number }
  /** Tolerated loss, in the unit of the value; `toleranceOf` has the default. */
  readonly tolerance?: number
}

export interface Row extends Figure {
  readonly suite: string
}

export type Half = 'tuned' | 'kept back' | 'all'

export interface Suite {
  readonly name: string
  /** One-line description. */
  readonly about: string
  /** Labelled data that is not part of the repository. */
  readonly needs?: 'data'
  /** `--quick` runs suites that take seconds; those that take minutes run only if named, or with `--slow`. */
  readonly takes: 'seconds' | 'a while' | 'minutes'
  run(options: SuiteOptions): Promise<readonly Figure[]>
}

export interface SuiteOptions {
  readonly data: string | undefined
  /** Reports a set, or EVERY_SET, that cannot be measured on this machine, and why; its baseline is then ignored. */
  leaveOut(set: string, why: string): void
}

export const EVERY_SET = 'all sets'

export const HALVES = ['tuned', 'kept back'] as const

/**
 * Returns the tolerance: counts of cases must match exactly, a mean may differ in its last digits on another processor.
 */
export const toleranceOf = ({ tolerance, of }: Figure): number => tolerance ?? (of === undefined ? 0.005 : 0)

export const keyOf = ({ suite, set, half, measure }: Row): string => [suite, set, half, measure].join(' | ')

/** Rounds as in a baseline, so that writing and reading a value does not change it. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
