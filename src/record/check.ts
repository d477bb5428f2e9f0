import { AppError } from '../kernel/domain/errors.ts'
import { head } from '../kernel/domain/text.ts'
import { type Verdict, atLeast, byVerdict, strongest } from '../retrieval/domain/ranking/verdict.ts'
import { assess, assessEmpty } from './assess-check.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { isSeed, label } from './domain/decision/decision.ts'
import { governs } from './domain/decision/governs.ts'
import { isInferred } from './domain/decision/inferred.ts'
import { LIMITS, textFault } from './domain/decision/screening.ts'
import { returnsTo } from './domain/names/returns-to.ts'
import { findRejections, isAboveLine, isNearLine, meantRejections, type NamedRejection } from './find-rejections.ts'
import type { RankedDecision, Ranking, Store, SupersededDecision } from './ports/store.ts'
import { decisionId, readDecision } from './read-decision.ts'
import { type NearestDecision, type RelatedDecision, toRelated } from './related-decision.ts'

const TOP = 5
const MOST_NEAREST = 3
// Number of superseded decisions whose texts are compared to the proposal.
const MOST_SUPERSEDED = 5

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
  /** Decisions just below the threshold, best first: apparently not related. */
  nearest: NearestDecision[]
  /** Superseded decisions that the approach reintroduces. */
  returns_to: RelatedDecision[]
  /** Number of active decisions searched. */
  searched: number
  /** Decision files that could not be read, and so were not searched. */
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
      assessment: assessEmpty(counts),
      related_decisions: [],
      nearest: [],
      returns_to: [],
      ...counts,
      stages: [],
    }

  const { type } = request
  const rejections = await findRejections(store, wholeText(request))
  const ranking = await store.rank({
    text: checkQuery(request.proposed_approach, request.context),
    limit: TOP,
    among: 'active',
    check: true,
    named: new Set(rejections.map(({ entry }) => entry.stem)),
    ...(hasSuperseded && { superseded: MOST_SUPERSEDED }),
    ...(type !== undefined && { where: (entry: CatalogueEntry) => entry.decision_type === type }),
  })
  const hasMeaning = ranking.stages.includes('semantic')
  const ranked = await Promise.all(touched(ranking).map((hit) => toRelated(store, hit)))
  const named = await rejecting(store, rejections, ranking)
  const related = await withFiles(store, hasMeaning ? rejectingFirst(named, ranked) : rejectingMarked(named, ranked), {
    candidates,
    files: request.files,
  })
  const nearest = nearestBelow(ranking, related)
  const rejecters = new Set([...named.values()].map((hit) => hit.brings_back?.rejected_by))
  // Naming an option that a decision rejected is not a return to that decision.
  const returns = (await returned(store, wholeText(request), ranking.superseded)).filter(
    (hit) => !rejecters.has(label(decisionNumber(hit.id) ?? 0)),
  )
  const verdict = strongest([...related, ...returns].map((hit) => hit.verdict))
  return {
    verdict,
    assessment: assess(related, {
      nearest,
      returns,
      // Words alone cannot show that nothing is related, only that few words are shared.
      verdict: hasMeaning ? verdict : atLeast('weak', verdict),
      counts,
    }),
    related_decisions: related,
    nearest,
    returns_to: returns,
    ...counts,
    stages: [...ranking.stages],
  }
}

const wholeText = ({ proposed_approach, context }: CheckRequest): string =>
  context ? `${proposed_approach}\n${context}` : proposed_approach

/** Decisions above the threshold; with word search alone, every decision found, because words cannot exclude any. */
const touched = ({ hits, stages }: Ranking): readonly RankedDecision[] =>
  stages.includes('semantic') ? hits.filter(isAboveLine) : hits

function nearestBelow({ hits, stages }: Ranking, related: readonly RelatedDecision[]): NearestDecision[] {
  if (!stages.includes('semantic')) return []
  const shown = new Set(related.map(({ id }) => id))
  return hits
    .filter((hit) => !isAboveLine(hit) && isNearLine(hit))
    .map(({ entry }) => ({ id: decisionId(entry.num), title: entry.title }))
    .filter(({ id }) => !shown.has(id))
    .slice(0, MOST_NEAREST)
}

interface Looked {
  readonly candidates: readonly CatalogueEntry[]
  readonly hasSuperseded: boolean
}

// Cached by identity: the list is the same object until a decision changes.
const known = new WeakMap<readonly CatalogueEntry[], Looked>()

function looked(decisions: readonly CatalogueEntry[]): Looked {
  const found = known.get(decisions) ?? {
    candidates: decisions.filter((entry) => entry.status === 'active' && !isSeed(entry)),
    hasSuperseded: decisions.some((entry) => entry.status === 'superseded'),
  }
  known.set(decisions, found)
  return found
}

/** Rejects unsuitable text before a record is opened. */
export function refuseUnfit(request: CheckRequest): void {
  const fault =
    textFault('proposed approach', request.proposed_approach, LIMITS.approach) ??
    textFault('context', request.context ?? '', LIMITS.context)
  if (fault !== undefined)
    throw new AppError('invalid_input', fault, { hint: 'Describe the approach in a few sentences.' })
}

/** The query format, unchanged because this record's scores have always been computed with it. */
export function checkQuery(approach: string, context: string | undefined): string {
  const body = context ? `${approach} ${context}` : approach
  return `${head(approach, 100)}. ${head(body, 200)}`
}

/** Decisions that rejected an option the approach names, whatever the ranking and the request. */
async function rejecting(
  store: Store,
  rejections: readonly NamedRejection[],
  { hits, named: weighed, stages }: Ranking,
): Promise<Map<string, RelatedDecision>> {
  const found = new Map(
    meantRejections(rejections, { named: weighed })
      .toReversed()
      .map((rejection) => [rejection.entry.stem, rejection]),
  )
  // With words alone, a decision has a score only if the ranking found it.
  const known = stages.includes('semantic') ? [...weighed, ...hits] : hits
  const scores = new Map(known.map(({ entry, score }) => [entry.stem, score]))
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

/** Rejecting decisions come first, in ranking order. */
function rejectingFirst(
  named: ReadonlyMap<string, RelatedDecision>,
  ranked: readonly RelatedDecision[],
): RelatedDecision[] {
  const marked = rejectingMarked(named, ranked)
  return [...marked.filter((hit) => hit.brings_back), ...marked.filter((hit) => !hit.brings_back)]
}

/** The ranking unchanged, followed by the rejecting decisions that it lacks. */
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

/** Decisions that name one of the files apply regardless of the proposal's words. */
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

/** Superseded decisions whose choice the approach reintroduces. */
async function returned(
  store: Store,
  text: string,
  superseded: readonly SupersededDecision[],
): Promise<RelatedDecision[]> {
  const found = await Promise.all(
    superseded.filter(isNearLine).map(async (hit) => {
      const [old, ...successors] = await Promise.all(
        [hit, ...hit.successors].map(({ entry }) => readDecision(store, entry.stem)),
      )
      const known = successors.filter((each) => each !== undefined)
      if (old === undefined || known.length === 0 || !returnsTo(text, old, known)) return []
      return [await toRelated(store, { ...hit, verdict: 'strong' })]
    }),
  )
  return found.flat()
}
