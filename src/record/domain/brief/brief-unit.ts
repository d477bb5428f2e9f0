import type { AnswerTrust } from '../../../kernel/domain/trust/trust.ts'

/** The parts of a brief, in reading order. */
export const BRIEF_KINDS = [
  'rule',
  'state',
  'question',
  'decision',
  'stack',
  'note',
  'document',
  'table',
  'session',
] as const
export type BriefKind = (typeof BRIEF_KINDS)[number]

/** Source of several lines; its own line is above them and is paid for once. */
export interface BriefHead {
  /** Its identifier: `D012`, `state_current.md`, the id of a document. */
  readonly source: string
  readonly trust: AnswerTrust
  /** One line; empty if the identifier is enough. */
  readonly text: string
  /** True if the line is informative alone, as the title of a decision is. */
  readonly isFact: boolean
}

/** A candidate line for a brief. */
export interface BriefUnit {
  readonly kind: BriefKind
  /** Undefined for a line that names its source. */
  readonly head: BriefHead | undefined
  /** Its identifier: `D012`, `1a2b3c4d5e6f:12-14`, `stack.md:3`. */
  readonly source: string
  /** Identifier below the head: `:12`; empty if the head is enough. */
  readonly at: string
  readonly trust: AnswerTrust
  /** One line; empty if there is only the head. */
  readonly text: string
  /** Relevance to the question: an increase of 0.1 is worth nearly twice as much room. */
  readonly relevance: number
  /** Distinguishing words of the line. */
  readonly terms: ReadonlySet<string>
  /** True if it bears on the question: included even if other lines have the same words. */
  readonly isDue?: boolean
  /** True if it is included only together with its head. */
  readonly isOutcome?: boolean
}

export interface BriefLine {
  readonly text: string
  readonly source: string
  readonly trust: AnswerTrust
  readonly tokens: number
}

export interface PackedBrief {
  readonly content: string
  readonly lines: readonly BriefLine[]
  readonly tokens: number
  /** Number of lines that did not fit, by kind; `duplicate` for lines that only repeat included ones. */
  readonly left: Readonly<Record<string, number>>
}
