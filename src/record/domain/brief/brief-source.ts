import { type AnswerTrust, isTrustedAsMuch } from '../../../kernel/domain/trust/trust.ts'
import type { BriefHead, BriefKind, BriefUnit } from './brief-unit.ts'
import { factTerms } from './same-fact.ts'
import type { Embed } from './weigh-passages.ts'

/** Something that a brief may include, in full or by some of its lines. */
export interface BriefSource {
  readonly kind: BriefKind
  /** Undefined if each line names its own source. */
  readonly head: BriefHead | undefined
  readonly title: string
  readonly lines: readonly BriefSourceLine[]
  /** Weight of the head alone, if it is a fact. */
  readonly prior: number
  /** Weight besides the words, for a question that touches it. */
  readonly bonus?: number
}

export interface BriefSourceLine {
  readonly text: string
  readonly source: string
  readonly at: string
  readonly trust: AnswerTrust
  /** Weight for any agent, whatever it is about to do. */
  readonly prior: number
  readonly bonus?: number
}

/** Weight of a kind besides the words of a question: binding content comes before conversation. */
const BESIDE_WORDS: Readonly<Record<BriefKind, number>> = {
  rule: 0,
  state: 0.1,
  question: 0.1,
  decision: 0.2,
  stack: 0,
  note: 0.1,
  document: 0,
  table: 0,
  session: 0,
}

/** The lines of the sources with their worth: to any agent, or for a question. */
export async function unitsOf(
  sources: readonly BriefSource[],
  asked?: { readonly question: string; readonly embed: Embed | undefined },
): Promise<BriefUnit[]> {
  // The title of a decision is weighed like one of its lines.
  const weighed = sources.map((source) => ({ title: source.title, lines: withTitle(source) }))
  // Not loaded without a question: the start of a session waits.
  const weights =
    asked && (await (await import('./weigh-passages.ts')).weighPassages(asked.question, weighed, asked.embed))
  const most = weights === undefined ? 0 : weights.reduce((best, own) => own.reduce((a, b) => Math.max(a, b), best), 0)
  return sources.flatMap((source, i) => {
    const { kind, head } = source
    const own = weights?.[i]
    const offset = weighed[i]!.lines.length - source.lines.length
    const beside = BESIDE_WORDS[kind] + (source.bonus ?? 0)
    const relevance = (at: number, prior: number, bonus = 0): number =>
      own === undefined ? prior : kind === 'rule' ? most : own[at]! + beside + bonus
    return [
      ...(head?.isFact === true ? [headUnit(source, head, relevance(0, source.prior))] : []),
      ...source.lines.map((line, at) => ({
        kind,
        head,
        ...line,
        relevance: relevance(at + offset, line.prior, line.bonus),
        terms: factTerms(line),
      })),
    ]
  })
}

const titles = new WeakMap<readonly BriefSourceLine[], readonly { readonly text: string }[]>()

/** The same list for the same lines, so that derived data is kept. */
function withTitle({ head, lines }: BriefSource): readonly { readonly text: string }[] {
  if (head?.isFact !== true) return lines
  const known = titles.get(lines) ?? [{ text: head.text }, ...lines]
  titles.set(lines, known)
  return known
}

/** Minimum weight of a decision related to the question. */
const RELATED = 0.2

const headUnit = ({ kind, bonus = 0 }: BriefSource, head: BriefHead, relevance: number): BriefUnit => ({
  kind,
  isDue: kind === 'decision' && bonus >= RELATED && isTrustedAsMuch(head.trust, 'proposed by an agent'),
  head,
  source: head.source,
  at: '',
  trust: head.trust,
  text: '',
  relevance,
  terms: factTerms(head),
})
