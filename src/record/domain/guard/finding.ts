import type { Status } from '../decision/decision.ts'

export const FINDING_KINDS = ['returns', 'governed', 'touched'] as const
export const SEVERITIES = ['warning', 'note'] as const

export type FindingKind = (typeof FINDING_KINDS)[number]
export type Severity = (typeof SEVERITIES)[number]

/** A decision's relevance to a diff. Every finding names its reason; without one it is not a finding. */
export interface Finding {
  /**
   * `returns`: reintroduces a rejected or superseded choice. `governed`: changes a file that the decision names.
   * `touched`: has words in common with it.
   */
  readonly kind: FindingKind
  readonly severity: Severity
  readonly file: string
  /** The first relevant line; null for the whole file. */
  readonly line: number | null
  /** Other changed files with the same reason. */
  readonly also: readonly string[]
  readonly decision: { readonly num: number; readonly label: string; readonly title: string; readonly status: Status }
  readonly reason: string
  /** The rejected or superseded thing that the change reintroduces, as the record spells it. */
  readonly thing?: string | undefined
  /** True if based on a rejection that an import inferred and nobody has reviewed. */
  readonly inferred?: boolean | undefined
}

/** Warnings first, then by kind, file and line, so that the same diff produces the same report. */
export const byWeight = (a: Finding, b: Finding): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
  compare(a.file, b.file) ||
  (a.line ?? 0) - (b.line ?? 0) ||
  a.decision.num - b.decision.num

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
