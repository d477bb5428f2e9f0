import type { AnswerTrust } from '../../../kernel/domain/trust/trust.ts'

/** What a brief is made of, in the order in which it is read. */
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

/** What several lines come from; its own line stands above them and is paid for once. */
export interface BriefHead {
  /** What opens it: `D012`, `state_current.md`, the id of a document. */
  readonly source: string
  readonly trust: AnswerTrust
  /** One line; empty where the source says it all. */
  readonly text: string
  /** The line says something by itself, as the title of a decision does. */
  readonly isFact: boolean
}

/** A line that may stand in a brief. */
export interface BriefUnit {
  readonly kind: BriefKind
  /** Undefined for one that names its own source. */
  readonly head: BriefHead | undefined
  /** What opens it: `D012`, `1a2b3c4d5e6f:12-14`, `stack.md:3`. */
  readonly source: string
  /** The same below its head: `:12`; empty where the head says it. */
  readonly at: string
  readonly trust: AnswerTrust
  /** One line; empty where the head is all there is to say. */
  readonly text: string
  /** How much it has to do with what is asked: 0.1 more is worth nearly twice as much room. */
  readonly relevance: number
  /** The words that tell it from others. */
  readonly terms: ReadonlySet<string>
  /** It bears on what is asked, and stands there whatever else has the words of it. */
  readonly isDue?: boolean
  /** It comes in with its head and not by itself. */
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
  /** How many lines found no room, by kind; `duplicate` for those that only repeat what stands there. */
  readonly left: Readonly<Record<string, number>>
}
