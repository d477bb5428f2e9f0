import type { AnswerTrust } from '../../../kernel/domain/trust/trust.ts'
import type { BriefQuestion } from './asked-units.ts'
import type { BriefHead, BriefKind, BriefUnit } from './brief-unit.ts'
import { factTerms } from './same-fact.ts'

/** A candidate source for a brief, included in full or by some of its lines. */
export interface BriefSource {
  readonly kind: BriefKind
  /** Undefined if each line names its own source. */
  readonly head: BriefHead | undefined
  readonly title: string
  readonly lines: readonly BriefSourceLine[]
  /** Weight of the head alone, if it is a fact. */
  readonly prior: number
  /** Weight in addition to the words, for a question that touches the source. */
  readonly bonus?: number
  /** True for a decision that the record's ranking relates to the question. */
  readonly isRelated?: boolean
  readonly isSuperseded?: boolean
}

export interface BriefSourceLine {
  readonly text: string
  readonly source: string
  readonly at: string
  readonly trust: AnswerTrust
  /** Weight for any agent, whatever its task. */
  readonly prior: number
  readonly bonus?: number
  /** True for the outcome of a decision; if there is a question, it is always shown below its head. */
  readonly isOutcome?: boolean
}

/** The lines of the sources with their worth: to any agent, or for a question. */
export async function unitsOf(sources: readonly BriefSource[], asked?: BriefQuestion): Promise<BriefUnit[]> {
  // Loaded only for a question: it would delay the start of a session.
  if (asked !== undefined) return (await import('./asked-units.ts')).askedUnits(sources, asked)
  return sources.flatMap(({ kind, head, lines, prior }) => [
    ...(head?.isFact === true ? [headUnit(kind, head, prior)] : []),
    ...lines.map((line) => ({
      kind,
      head,
      ...line,
      // If there is no question, an outcome is an ordinary line, and a title may be shown alone.
      isOutcome: false,
      relevance: line.prior,
      terms: factTerms(line),
    })),
  ])
}

const headUnit = (kind: BriefKind, head: BriefHead, relevance: number): BriefUnit => ({
  kind,
  head,
  source: head.source,
  at: '',
  trust: head.trust,
  text: '',
  relevance,
  terms: factTerms(head),
})
