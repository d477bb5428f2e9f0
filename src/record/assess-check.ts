import { operationNamed } from '../kernel/domain/named-operation.ts'
import { reintroduces } from '../kernel/domain/phrases.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Verdict } from '../retrieval/domain/ranking/verdict.ts'
import { unreadableLine } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { label } from './domain/decision/decision.ts'
import { inferredNote } from './domain/decision/inferred.ts'
import { nearestLine } from './domain/nearest-line.ts'
import { type NearestDecision, type RelatedDecision, foundBy } from './related-decision.ts'

const NO_DECISIONS = `No decisions to check against yet. Continue, and record your choice with ${operationNamed('propose_decision')}.`
const NOTHING_RELATED =
  'No related decisions found. That does not prove there is no conflict: no decision uses these words or close ones.'

interface Counts {
  readonly searched: number
  readonly unreadable: number
}

export const assessEmpty = (counts: Counts): string =>
  [...(counts.unreadable === 0 ? [NO_DECISIONS] : []), ...unreadNote(counts)].join(' ')

interface Findings {
  readonly nearest: readonly NearestDecision[]
  readonly returns: readonly RelatedDecision[]
  readonly verdict: Verdict
  readonly counts: Counts
}

/** Result of a check, in a few sentences. */
export function assess(related: readonly RelatedDecision[], { nearest, returns, verdict, counts }: Findings): string {
  const end = [...nearestLine(nearest), `${plural(counts.searched, 'decision')} searched.`, ...unreadNote(counts)]
  const top = related.find((hit) => hit.verdict !== 'none') ?? related[0]
  const back = returns.map(
    (hit) => `It returns to ${labelOf(hit)} "${hit.title}", superseded by ${label(Number(hit.superseded_by))}.`,
  )
  if (top === undefined)
    return [
      ...(back.length > 0 ? back : [verdict === 'none' ? NOTHING_RELATED : 'No related decisions found.']),
      ...end,
    ].join(' ')
  const weak = verdict === 'weak' ? ' The match is weak: judge for yourself.' : ''
  const line = `Top match: ${labelOf(top)} "${top.title}" (status ${top.status}${top.trust === 'approved' ? '' : `, ${top.trust}`}, decided ${top.date}, ${foundBy(top)}).${weak}`
  const rejected = related.flatMap((hit) => (hit.brings_back ? [broughtBack(hit.brings_back, labelOf(hit))] : []))
  const next =
    related.length === 1
      ? `Read it with ${operationNamed('get_decision', decisionNumber(top.id)!)} before proposing.`
      : `Read each with ${operationNamed('get_decision')} before proposing.`
  return [
    ...(related.length > 1 ? [`Found ${related.length} related decisions.`] : []),
    line,
    ...rejected,
    ...back,
    next,
    ...end,
  ].join(' ')
}

function broughtBack(back: NonNullable<RelatedDecision['brings_back']>, holder: string): string {
  const { alternative, rejected_by: by } = back
  const kept = by === holder ? '' : `; ${holder} supersedes it and keeps it rejected`
  return `It ${reintroduces(alternative, by)}${inferredNote(back)}${kept}.`
}

/** Reports unreadable decisions, which are not missing ones. */
const unreadNote = ({ unreadable }: Counts): string[] => (unreadable === 0 ? [] : [unreadableLine(unreadable)])

const labelOf = (hit: RelatedDecision): string => label(decisionNumber(hit.id) ?? 0)
