/** One figure of a suite: what was measured, on which questions, and what another system reached on the same. */
export interface Figure {
  readonly set: string
  /** Kept back: not looked at while what is measured was made. All: the set has no halves. */
  readonly half: Half
  readonly measure: string
  /** A share, a mean, or, with `of`, how many of so many cases. */
  readonly value: number
  readonly of?: number
  readonly better: 'higher' | 'lower'
  /** On the same cases, in the same unit. */
  readonly peer?: { readonly name: string; readonly value: number }
  /** How much worse is no loss yet, in the unit of the value; `toleranceOf` has what holds without it. */
  readonly tolerance?: number
}

export interface Row extends Figure {
  readonly suite: string
}

export type Half = 'tuned' | 'kept back' | 'all'

export interface Suite {
  readonly name: string
  /** What it measures, in a line. */
  readonly about: string
  /** Labelled data from elsewhere, which is not part of the repository. */
  readonly needs?: 'data'
  /** `--quick` runs what takes seconds; what takes minutes is run only when it is named, or with `--slow`. */
  readonly takes: 'seconds' | 'a while' | 'minutes'
  run(options: SuiteOptions): Promise<readonly Figure[]>
}

export interface SuiteOptions {
  readonly data: string | undefined
  /** A set that cannot be measured on this machine, or EVERY_SET, and why; its baseline is not missed then. */
  leaveOut(set: string, why: string): void
}

export const EVERY_SET = 'all sets'

export const HALVES = ['tuned', 'kept back'] as const

/** Whole cases must come out as before. A mean may move by its last digits on another processor. */
export const toleranceOf = ({ tolerance, of }: Figure): number => tolerance ?? (of === undefined ? 0.005 : 0)

export const keyOf = ({ suite, set, half, measure }: Row): string => [suite, set, half, measure].join(' | ')

/** As it stands in a baseline: what is written down and read again is the same figure. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
