import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import { decisionNumber } from '../core/decision/decision-id.ts'
import { label } from '../core/decision/decision.ts'
import { governs } from '../core/decision/governs.ts'
import { LIMITS, textFault } from '../core/decision/screening.ts'
import { AppError } from '../core/errors.ts'
import { type Verdict, strongest, verdictOf } from '../core/ranking/verdict.ts'
import { head } from '../core/text.ts'
import type { Store } from '../ports/store.ts'
import { hasOnlySeed } from './read-decision.ts'
import { type RelatedDecision, foundBy, toRelated } from './related-decision.ts'

const TOP = 5
const NO_DECISIONS =
  'There are no decisions to check against yet. Go on, and record what you choose with propose_decision.'
const NOTHING_RELATED =
  'Nothing in the record is related to this. That does not prove there is none: it means that no decision mentions it in these words or words close to them.'

export interface CheckRequest {
  readonly proposed_approach: string
  readonly context?: string | undefined
  readonly files?: readonly string[] | undefined
  readonly type?: string | undefined
}

export interface CheckOutcome {
  verdict: Verdict
  assessment: string
  related_decisions: RelatedDecision[]
  /** Superseded decisions that the approach goes back to. */
  returns_to: RelatedDecision[]
  stages: string[]
}

/** Finds the decisions that an approach touches; it does not judge the approach. */
export async function check(store: Store, request: CheckRequest): Promise<CheckOutcome> {
  const { decisions } = await store.catalogue()
  if (hasOnlySeed(decisions))
    return { verdict: 'none', assessment: NO_DECISIONS, related_decisions: [], returns_to: [], stages: [] }

  const text = checkQuery(request.proposed_approach, request.context)
  const where = filter(request)
  const ranking = await store.rank({ text, limit: TOP, among: 'active', check: true, ...(where && { where }) })
  const found = await Promise.all(ranking.hits.map((hit) => toRelated(store, hit, request.proposed_approach)))
  // Word hits stay as they were ranked, whatever they are worth; what only meaning brought up must be worth showing.
  const related = found.filter((hit) => hit.score > 0 || hit.verdict !== 'none')
  const governing = await governingUnseen(store, decisions, request.files, related)
  const returns = decisions.some((entry) => entry.status === 'superseded')
    ? await supersededHits(store, text, where)
    : []
  const all = [...related, ...governing]
  const verdict = strongest([...all, ...returns].map((hit) => hit.verdict))
  return {
    verdict,
    assessment: assess(all, returns, ranking.stages.includes('semantic') ? verdict : atLeastWeak(verdict)),
    related_decisions: all,
    returns_to: returns,
    stages: [...ranking.stages],
  }
}

/** Text that no check should be run on is refused before a record is opened. */
export function refuseUnfit(request: CheckRequest): void {
  const fault =
    textFault('proposed approach', request.proposed_approach, LIMITS.approach) ??
    textFault('context', request.context ?? '', LIMITS.context)
  if (fault !== undefined)
    throw new AppError('invalid_input', fault, { hint: 'Describe the approach in a few sentences.' })
}

/** The shape that the scores of this record have always been computed on. */
export function checkQuery(approach: string, context: string | undefined): string {
  const body = context ? `${approach} ${context}` : approach
  return `${head(approach, 100)}. ${head(body, 200)}`
}

function filter(input: {
  files?: readonly string[] | undefined
  type?: string | undefined
}): ((entry: CatalogueEntry) => boolean) | undefined {
  const { files, type } = input
  if (files === undefined && type === undefined) return undefined
  return (entry) =>
    (type === undefined || entry.decision_type === type) && (files === undefined || governsAny(entry, files))
}

const governsAny = (entry: CatalogueEntry, files: readonly string[]): boolean =>
  entry.files_affected.some((pattern) => files.some((file) => governs(pattern, file)))

/** Decisions that name one of the files bind it whatever the words of the proposal are. */
async function governingUnseen(
  store: Store,
  decisions: readonly CatalogueEntry[],
  files: readonly string[] | undefined,
  seen: readonly RelatedDecision[],
): Promise<RelatedDecision[]> {
  if (files === undefined) return []
  const numbers = new Set(seen.map((hit) => decisionNumber(hit.id)))
  const unseen = decisions
    .filter((entry) => entry.status === 'active' && !numbers.has(entry.num) && governsAny(entry, files))
    .slice(-TOP)
  const hits = await Promise.all(
    unseen.map((entry) => toRelated(store, { entry, score: 0, coverage: 0, cosine: null }, '')),
  )
  return hits.map((hit) => ({ ...hit, verdict: 'related', found_by: 'file' }))
}

async function supersededHits(
  store: Store,
  text: string,
  where: ((entry: CatalogueEntry) => boolean) | undefined,
): Promise<RelatedDecision[]> {
  const superseded = (entry: CatalogueEntry) => entry.status === 'superseded' && (where?.(entry) ?? true)
  const { hits } = await store.rank({ text, limit: 2, among: 'all', check: true, where: superseded })
  return Promise.all(hits.filter((hit) => verdictOf(hit) === 'strong').map((hit) => toRelated(store, hit, '')))
}

function assess(related: readonly RelatedDecision[], returns: readonly RelatedDecision[], verdict: string): string {
  const top = related.find((hit) => hit.verdict !== 'none') ?? related[0]
  const replaced = returns.map(
    (hit) => `It returns to ${labelOf(hit)} "${hit.title}", which ${label(Number(hit.superseded_by))} replaced.`,
  )
  if (top === undefined) return replaced.length > 0 ? replaced.join(' ') : 'No related decisions found.'
  if (verdict === 'none') return NOTHING_RELATED
  const weak = verdict === 'weak' ? ' The match is weak: judge for yourself.' : ''
  const line = `Top match: ${labelOf(top)} "${top.title}" (status ${top.status}${top.trust === 'approved' ? '' : `, ${top.trust}`}, decided ${top.date}, ${foundBy(top)}).${weak}`
  const back = related.flatMap((hit) =>
    hit.brings_back ? [`It brings back "${hit.brings_back.alternative}", which ${labelOf(hit)} rejected.`] : [],
  )
  const worth = related.filter((hit) => hit.verdict !== 'none').length
  const next =
    worth === 1
      ? `Call get_decision(${decisionNumber(top.id)}) before proposing.`
      : 'Call get_decision on each related decision before proposing.'
  return [...(worth > 1 ? [`Found ${worth} related decisions.`] : []), line, ...back, ...replaced, next].join(' ')
}

/** Words alone cannot tell that nothing is related, only that little is said in the same words. */
const atLeastWeak = (verdict: Verdict): Verdict => (verdict === 'none' ? 'weak' : verdict)

const labelOf = (hit: RelatedDecision): string => label(decisionNumber(hit.id) ?? 0)
