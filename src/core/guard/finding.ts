import type { Status } from '../decision/decision.ts'

export const FINDING_KINDS = ['returns', 'governed', 'touched'] as const
export const SEVERITIES = ['warning', 'note'] as const

export type FindingKind = (typeof FINDING_KINDS)[number]
export type Severity = (typeof SEVERITIES)[number]

/** Something a decision has to say about a diff. Every finding names its reason; what cannot, is none. */
export interface Finding {
  /**
   * `returns`: to what was rejected or replaced. `governed`: a file the decision names. `touched`: the words are about
   * it.
   */
  readonly kind: FindingKind
  readonly severity: Severity
  readonly file: string
  /** The first line it is about; null for the file as a whole. */
  readonly line: number | null
  /** Other changed files that the same reason holds for. */
  readonly also: readonly string[]
  readonly decision: { readonly num: number; readonly label: string; readonly title: string; readonly status: Status }
  readonly reason: string
  /** It rests on a rejection that an import inferred and nobody has reviewed. */
  readonly inferred?: boolean | undefined
}

/** Warnings first, then by kind, file and line, so that the same diff gives the same report. */
export const byWeight = (a: Finding, b: Finding): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
  compare(a.file, b.file) ||
  (a.line ?? 0) - (b.line ?? 0) ||
  a.decision.num - b.decision.num

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
