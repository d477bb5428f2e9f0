import { type CatalogueEntry, unreadableLine } from '../core/decision/catalogue.ts'
import { decisionNumber } from '../core/decision/decision-id.ts'
import { isSeed, label } from '../core/decision/decision.ts'
import { governs } from '../core/decision/governs.ts'
import { isInferred, rejectedWord } from '../core/decision/inferred.ts'
import { LIMITS, textFault } from '../core/decision/screening.ts'
import { AppError } from '../core/errors.ts'
import { operationNamed } from '../core/named-operation.ts'
import { type Verdict, atLeast, byVerdict, strongest } from '../core/ranking/verdict.ts'
import { head, plural } from '../core/text.ts'
import type { Ranking, Store } from '../ports/store.ts'
import { findRejections } from './find-rejections.ts'
import { type RelatedDecision, foundBy, shownHits, toRelated } from './related-decision.ts'

const TOP = 5
const NO_DECISIONS = `There are no decisions to check against yet. Go on, and record what you choose with ${operationNamed('propose_decision')}.`
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
  /** Active decisions that were looked through. */
  searched: number
  /** Files of decisions that could not be read, and so could not be looked through. */
  unreadable: number
  stages: string[]
}

/** Finds the decisions that an approach touches; it does not judge the approach. */
export async function check(store: Store, request: CheckRequest): Promise<CheckOutcome> {
  const { decisions, unreadable } = await store.catalogue()
  const { candidates, hasSuperseded } = looked(decisions)
  const counts = { searched: candidates.length, unreadable: unreadable.length }
  if (candidates.length === 0 && !hasSuperseded)
    return {
      verdict: 'none',
      assessment: [...(unreadable.length === 0 ? [NO_DECISIONS] : []), ...unreadNote(counts)].join(' '),
      related_decisions: [],
      returns_to: [],
      ...counts,
      stages: [],
    }

  const { type } = request
  const query = {
    text: checkQuery(request.proposed_approach, request.context),
    check: true,
    ...(type !== undefined && { where: (entry: CatalogueEntry) => entry.decision_type === type }),
  }
  const ranking = await store.rank({ ...query, limit: TOP, among: 'active' })
  const hasMeaning = ranking.stages.includes('semantic')
  const ranked = await Promise.all(shownHits(ranking).map((hit) => toRelated(store, hit)))
  const named = await rejecting(store, request, { text: query.text, ranking })
  const related = await withFiles(store, hasMeaning ? rejectingFirst(named, ranked) : rejectingMarked(named, ranked), {
    candidates,
    files: request.files,
  })
  const rejecters = new Set([...named.values()].map((hit) => hit.brings_back?.rejected_by))
  // What names something that a decision rejected does not go back to that decision.
  const returns = hasSuperseded
    ? (await supersededHits(store, query)).filter((hit) => !rejecters.has(labelOf(hit)))
    : []
  const verdict = strongest([...related, ...returns].map((hit) => hit.verdict))
  return {
    verdict,
    assessment: assess(related, returns, {
      // Words alone cannot tell that nothing is related, only that little is said in the same words.
      verdict: hasMeaning ? verdict : atLeast('weak', verdict),
      counts,
    }),
    related_decisions: related,
    returns_to: returns,
    ...counts,
    stages: [...ranking.stages],
  }
}

interface Looked {
  readonly candidates: readonly CatalogueEntry[]
  readonly hasSuperseded: boolean
}

// A list of decisions is the same object until one changes.
const known = new WeakMap<readonly CatalogueEntry[], Looked>()

function looked(decisions: readonly CatalogueEntry[]): Looked {
  const found = known.get(decisions) ?? {
    candidates: decisions.filter((entry) => entry.status === 'active' && !isSeed(entry)),
    hasSuperseded: decisions.some((entry) => entry.status === 'superseded'),
  }
  known.set(decisions, found)
  return found
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

/** Decisions that rejected what the approach names, whatever the ranking says and whatever was asked for. */
async function rejecting(
  store: Store,
  { proposed_approach, context }: CheckRequest,
  { text, ranking }: { text: string; ranking: Ranking },
): Promise<Map<string, RelatedDecision>> {
  const found = new Map(
    (await findRejections(store, context ? `${proposed_approach}\n${context}` : proposed_approach))
      .toReversed()
      .map((rejection) => [rejection.entry.stem, rejection]),
  )
  const scores = new Map(ranking.hits.map(({ entry, score }) => [entry.stem, score]))
  const unranked = [...found.keys()].filter((stem) => !scores.has(stem))
  // By words alone a score says that the ranking found it.
  if (unranked.length > 0 && ranking.stages.includes('semantic')) {
    const where = ({ stem }: CatalogueEntry) => unranked.includes(stem)
    const { hits } = await store.rank({ text, limit: TOP, among: 'active', check: true, where })
    for (const { entry, score } of hits) scores.set(entry.stem, score)
  }
  const named = await Promise.all(
    [...found.values()]
      .slice(-TOP)
      .reverse()
      .map(async ({ entry, by, alternative, reason }) => ({
        ...(await toRelated(
          store,
          { entry, score: scores.get(entry.stem) ?? 0, verdict: isInferred({ reason }) ? 'related' : 'strong' },
          'rejection',
        )),
        brings_back: {
          alternative,
          reason,
          rejected_by: label(by.num),
          since: by.date,
          ...(isInferred({ reason }) && { inferred: true }),
        },
      })),
  )
  return new Map(named.map((hit) => [hit.id, hit]))
}

/** They come first, among themselves in the order of the ranking. */
function rejectingFirst(
  named: ReadonlyMap<string, RelatedDecision>,
  ranked: readonly RelatedDecision[],
): RelatedDecision[] {
  const marked = rejectingMarked(named, ranked)
  return [...marked.filter((hit) => hit.brings_back), ...marked.filter((hit) => !hit.brings_back)]
}

/** The ranking as it is, and what it lacks of them after it. */
function rejectingMarked(
  named: ReadonlyMap<string, RelatedDecision>,
  ranked: readonly RelatedDecision[],
): RelatedDecision[] {
  const ids = new Set(ranked.map((hit) => hit.id))
  return [
    ...ranked.map((hit) => {
      const brings_back = named.get(hit.id)?.brings_back
      if (brings_back === undefined) return hit
      return { ...hit, verdict: atLeast(brings_back.inferred ? 'related' : 'strong', hit.verdict), brings_back }
    }),
    ...[...named.values()].filter((hit) => !ids.has(hit.id)),
  ]
}

/** Decisions that name one of the files bind it whatever the words of the proposal are. */
async function withFiles(
  store: Store,
  related: readonly RelatedDecision[],
  { candidates, files }: { candidates: readonly CatalogueEntry[]; files: readonly string[] | undefined },
): Promise<RelatedDecision[]> {
  if (files === undefined) return [...related]
  const governing = candidates.filter((entry) =>
    entry.files_affected.some((pattern) => files.some((file) => governs(pattern, file))),
  )
  const numbers = new Set(governing.map((entry) => entry.num))
  const raised = related.map((hit) =>
    numbers.has(decisionNumber(hit.id) ?? 0)
      ? { ...hit, verdict: atLeast('related', hit.verdict), governs: true }
      : hit,
  )
  const seen = new Set(related.map((hit) => decisionNumber(hit.id)))
  const unseen = await Promise.all(
    governing
      .filter((entry) => !seen.has(entry.num))
      .slice(-TOP)
      .map((entry) => toRelated(store, { entry, score: 0, verdict: 'related' }, 'file')),
  )
  const rank = (hit: RelatedDecision) => (hit.brings_back ? 0 : hit.governs ? 1 : 2)
  return [...raised, ...unseen.map((hit) => ({ ...hit, governs: true }))].sort(
    (a, b) => rank(a) - rank(b) || byVerdict(a.verdict, b.verdict),
  )
}

async function supersededHits(
  store: Store,
  query: { text: string; check: boolean; where?: (entry: CatalogueEntry) => boolean },
): Promise<RelatedDecision[]> {
  const where = (entry: CatalogueEntry) => entry.status === 'superseded' && (query.where?.(entry) ?? true)
  const { hits } = await store.rank({ ...query, limit: 2, among: 'all', where })
  return Promise.all(hits.filter((hit) => hit.verdict === 'strong').map((hit) => toRelated(store, hit)))
}

interface Counts {
  readonly searched: number
  readonly unreadable: number
}

function assess(
  related: readonly RelatedDecision[],
  returns: readonly RelatedDecision[],
  { verdict, counts }: { verdict: Verdict; counts: Counts },
): string {
  const searched = `${plural(counts.searched, 'decision')} searched.`
  const top = related.find((hit) => hit.verdict !== 'none') ?? related[0]
  const replaced = returns.map(
    (hit) => `It returns to ${labelOf(hit)} "${hit.title}", which ${label(Number(hit.superseded_by))} replaced.`,
  )
  if (top === undefined)
    return [
      ...(replaced.length > 0 ? replaced : [verdict === 'none' ? NOTHING_RELATED : 'No related decisions found.']),
      searched,
      ...unreadNote(counts),
    ].join(' ')
  const weak = verdict === 'weak' ? ' The match is weak: judge for yourself.' : ''
  const line = `Top match: ${labelOf(top)} "${top.title}" (status ${top.status}${top.trust === 'approved' ? '' : `, ${top.trust}`}, decided ${top.date}, ${foundBy(top)}).${weak}`
  const back = related.flatMap((hit) => (hit.brings_back ? [broughtBack(hit.brings_back, labelOf(hit))] : []))
  const next =
    related.length === 1
      ? `Read it with ${operationNamed('get_decision', decisionNumber(top.id)!)} before proposing.`
      : `Read each with ${operationNamed('get_decision')} before proposing.`
  return [
    ...(related.length > 1 ? [`Found ${related.length} related decisions.`] : []),
    line,
    ...back,
    ...replaced,
    next,
    searched,
    ...unreadNote(counts),
  ].join(' ')
}

function broughtBack(back: NonNullable<RelatedDecision['brings_back']>, holder: string): string {
  const { alternative, rejected_by: by } = back
  const kept = by === holder ? '' : ` and ${holder}, which replaced it, keeps rejected`
  return `It brings back "${alternative}", which ${by} ${rejectedWord(back)}${kept}.`
}

/** A decision that nobody could look into is not one that does not exist. */
const unreadNote = ({ unreadable }: Counts): string[] => (unreadable === 0 ? [] : [unreadableLine(unreadable)])

const labelOf = (hit: RelatedDecision): string => label(decisionNumber(hit.id) ?? 0)
