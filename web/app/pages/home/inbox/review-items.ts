import { useMemo } from 'react'
import { label } from '../../../../../src/record/domain/decision/decision.ts'
import type { Calls } from '../../../api/call.ts'
import { useAnswer } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { KIND_WORDS, type DraftLine } from './draft-words.ts'
import { isDraftKind, type InboxSearch } from './inbox-search.ts'

type Inferred = NonNullable<Calls['accept']['output']['inferred']>[number]
export type Conflict = Calls['conflicts']['output']['conflicts'][number]
type Finding = Calls['drift']['output']['findings'][number]

/** One entry of the review queue. */
export type ReviewItem = {
  /** Unique in the queue, and stable while the entry is pending. */
  readonly id: string
  readonly mark: string
  readonly title: string
  readonly more: string
  readonly at: string | undefined
} & (
  | { readonly of: 'draft'; readonly draft: DraftLine }
  | { readonly of: 'conflict'; readonly conflict: Conflict }
  | { readonly of: 'proposal'; readonly number: number }
  | { readonly of: 'import'; readonly number: number; readonly alternatives: readonly string[] }
  | { readonly of: 'drift'; readonly number: number; readonly finding: Finding }
)

const UNAVAILABLE = new Set(['not_found', 'forbidden'])

/**
 * Everything pending review. Drafts, conflicts and agent proposals by default; rejections that an import inferred, of
 * which there may be hundreds, and drift, which reads the whole repository, on request.
 */
export function useReviewItems(search: InboxSearch) {
  const { kind, settled = false } = search
  const wantsProposals = !settled && (kind === undefined || kind === 'proposal')
  const wantsConflicts = !settled && (kind === undefined || kind === 'conflict') && isOffered('conflicts')
  const wantsImports = !settled && kind === 'import'
  const drafts = useAnswer(
    'inbox_list',
    { settled, ...(isDraftKind(kind) && { kind }) },
    { keep: true, enabled: kind === undefined || isDraftKind(kind) },
  )
  const conflicts = useAnswer('conflicts', {}, { enabled: wantsConflicts, keep: true })
  const pending = useAnswer('accept', { dry_run: true }, { enabled: wantsProposals || wantsImports, keep: true })
  // Reads the whole repository and its history, so only on request.
  const drift = useAnswer('drift', {}, { enabled: kind === 'drift' && !settled && isOffered('drift') })
  const items = useMemo(
    () => [
      ...(wantsConflicts ? (conflicts.data?.conflicts ?? []).map(conflictItem) : []),
      ...(kind === undefined || isDraftKind(kind) ? (drafts.data?.drafts ?? []).map(draftItem) : []),
      ...(wantsProposals ? (pending.data?.pending ?? []).map(proposalItem) : []),
      ...(wantsImports ? importItems(pending.data?.inferred ?? []) : []),
      ...(kind === 'drift' ? (drift.data?.findings ?? []).map(driftItem) : []),
    ],
    [drafts.data, conflicts.data, pending.data, drift.data, kind, settled],
  )
  const asked = [drafts, conflicts, pending, drift].filter(({ fetchStatus, data }) => fetchStatus !== 'idle' || data)
  return {
    items,
    // If there is no record or no right to accept, there are no proposals, but drafts are still shown.
    fault: asked.map(({ error }) => error).find((error) => error !== null && !UNAVAILABLE.has(error.code)) ?? null,
    isPending: asked.some(({ isLoading }) => isLoading),
    again: () => void Promise.all(asked.map(({ refetch }) => refetch())),
  }
}

const draftItem = (draft: DraftLine): ReviewItem => ({
  of: 'draft',
  id: draft.id,
  mark: KIND_WORDS[draft.kind],
  title: draft.title,
  more: draft.settled === undefined ? draft.why : `${draft.settled.how} · ${draft.why}`,
  at: draft.settled?.at ?? draft.at,
  draft,
})

const conflictItem = (conflict: Conflict): ReviewItem => ({
  of: 'conflict',
  id: `conflict-${conflict.question}`,
  mark: conflict.question,
  title: conflict.path,
  more: 'changed on two machines in ways that cannot be joined',
  at: undefined,
  conflict,
})

const proposalItem = ({ num, title, date }: Calls['accept']['output']['pending'][number]): ReviewItem => ({
  of: 'proposal',
  id: label(num),
  mark: label(num),
  title,
  more: 'decision proposed by an agent',
  at: date,
  number: num,
})

/** One entry per decision; an import may have inferred several alternatives in it. */
function importItems(inferred: readonly Inferred[]): ReviewItem[] {
  const byNumber = Map.groupBy(inferred, ({ num }) => num)
  return [...byNumber].map(([number, found]) => ({
    of: 'import',
    id: `import-${number}`,
    mark: label(number),
    title: found[0]!.title,
    more: `rejected, as the import inferred: ${found.map(({ alternative }) => alternative).join(', ')}`,
    at: undefined,
    number,
    alternatives: found.map(({ alternative }) => alternative),
  }))
}

const driftItem = (finding: Finding): ReviewItem => ({
  of: 'drift',
  id: `drift-${finding.decision.num}-${finding.kind}-${finding.about}`.slice(0, 60),
  mark: finding.decision.label,
  title: finding.decision.title,
  more: `${finding.about}: ${finding.now}`,
  at: finding.commit?.at,
  number: finding.decision.num,
  finding,
})
