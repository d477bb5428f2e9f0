import { isTrustedAsMuch } from '../../../kernel/domain/trust/trust.ts'
import type { BriefSource } from './brief-source.ts'
import type { BriefHead, BriefKind, BriefUnit } from './brief-unit.ts'
import { factTerms } from './same-fact.ts'
import { type Embed, weighPassages } from './weigh-passages.ts'

export interface BriefQuestion {
  readonly question: string
  readonly embed: Embed | undefined
  readonly budget: number
}

/** Weight of a kind in addition to the words of a question: binding content ranks above conversations. */
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

/**
 * A decision that the record's ranking does not relate to the question is included if its weight is at least this share
 * of the best one, and with embeddings at least LEAST. Chosen on the tuning half of the questions about Ken's record
 * and of ten tasks over imported ADRs. A larger budget lowers both.
 */
const NEAR = 0.6
const LEAST = 0.5
const USUAL_BUDGET = 2_000
/**
 * Number of decisions shown in depth within the usual budget; lines of other decisions beyond their outcome are worth
 * less.
 */
const DEEP = 4
const SHALLOW = 0.5
/** A bonus of at least this is a verdict of `related` or better. */
const RELATED = 0.2

interface Weighed {
  readonly source: BriefSource
  /** Weights of the title, if it counts as a fact, and of the lines. */
  readonly weights: Float32Array
  /** Weight of the best line, which is the worth of a decision. */
  readonly best: number
}

/** Lines with their worth for a question. Decisions are ranked as a whole, and irrelevant ones are left out. */
export async function askedUnits(
  sources: readonly BriefSource[],
  { question, embed, budget }: BriefQuestion,
): Promise<BriefUnit[]> {
  // The title of a decision is weighed like one of its lines.
  const passages = sources.map((source) => ({ title: source.title, lines: withTitle(source) }))
  const weights = await weighPassages(question, passages, embed)
  const weighed = sources.map((source, i): Weighed => {
    const own = weights[i]!
    return { source, weights: own, best: own.reduce((a, b) => Math.max(a, b), 0) }
  })
  const most = weighed.reduce((best, own) => Math.max(best, own.best), 0)
  const reach = Math.min(1, USUAL_BUDGET / budget)
  const decisions = rankedDecisions(weighed, { near: NEAR * reach, least: embed === undefined ? 0 : LEAST * reach })
  return [
    ...weighed.filter(({ source }) => source.kind !== 'decision').flatMap((own) => linesOf(own, most)),
    ...decisions.flatMap((own, rank) => decisionUnits(own, rank * reach < DEEP ? 0 : SHALLOW * reach)),
  ]
}

/** Best first; superseded decisions last. */
function rankedDecisions(weighed: readonly Weighed[], { near, least }: { near: number; least: number }): Weighed[] {
  const decisions = weighed.filter(({ source }) => source.kind === 'decision')
  const line = Math.max(
    least,
    decisions.reduce((most, { best }) => Math.max(most, near * best), 0),
  )
  const worth = ({ source, best }: Weighed): number => best + (source.bonus ?? 0)
  return decisions
    .filter(({ source, best }) => source.isRelated === true || (best > 0 && best >= line))
    .toSorted((a, b) => Number(isOver(a.source)) - Number(isOver(b.source)) || worth(b) - worth(a))
}

const isOver = ({ isSuperseded }: BriefSource): boolean => isSuperseded === true

/** A decision whose title and outcome have little to do with the question is represented by its relevant line. */
function decisionUnits(own: Weighed, loss: number): BriefUnit[] {
  const { head, bonus = 0 } = own.source
  const units = linesOf(own, 0)
  if (head?.isFact !== true) return units
  const relevance = units.reduce(
    (most, unit) => (unit.isOutcome === true ? Math.max(most, unit.relevance) : most),
    own.weights[0]! + BESIDE_WORDS.decision + bonus,
  )
  return [headUnit(head, { bonus, relevance }), ...units.map((unit) => ({ ...unit, relevance: unit.relevance - loss }))]
}

function linesOf({ source, weights }: Weighed, most: number): BriefUnit[] {
  const { kind, head, lines, bonus = 0 } = source
  const offset = weights.length - lines.length
  return lines.map((line, at) => ({
    kind,
    head,
    ...line,
    relevance: kind === 'rule' ? most : weights[at + offset]! + BESIDE_WORDS[kind] + bonus + (line.bonus ?? 0),
    terms: factTerms(line),
  }))
}

const headUnit = (head: BriefHead, { bonus, relevance }: { bonus: number; relevance: number }): BriefUnit => ({
  kind: 'decision',
  isDue: bonus >= RELATED && isTrustedAsMuch(head.trust, 'proposed by an agent'),
  head,
  source: head.source,
  at: '',
  trust: head.trust,
  text: '',
  relevance,
  terms: factTerms(head),
})

const titles = new WeakMap<BriefSource['lines'], readonly { readonly text: string }[]>()

/** Returns the same list for the same lines, so that values cached by it stay valid. */
function withTitle({ head, lines }: BriefSource): readonly { readonly text: string }[] {
  if (head?.isFact !== true) return lines
  const known = titles.get(lines) ?? [{ text: head.text }, ...lines]
  titles.set(lines, known)
  return known
}
