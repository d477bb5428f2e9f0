import { ellipsis } from '../kernel/domain/text.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { findCandidates, type Candidate } from '../memory/domain/session/candidates.ts'
import { parseSessionMarkdown, type SessionDocument } from '../memory/domain/session/markdown.ts'
import { sessionTurns } from '../memory/domain/session/session-turns.ts'
import type { ArchivedSession, SessionArchive } from '../memory/ports/session-archive.ts'
import { check } from '../record/check.ts'
import { QUESTIONS } from '../record/domain/files.ts'
import { openQuestions } from '../record/domain/question.ts'
import type { Store } from '../record/ports/store.ts'
import {
  capturedBody,
  type DecisionDraft,
  type QuestionDraft,
  readDecisionDraft,
  readQuestionDraft,
} from './domain/feedback/captured-draft.ts'
import type { Draft } from './domain/feedback/feedback.ts'
import type { RefinedCandidate, Refinement } from './domain/feedback/refine-candidates.ts'
import { isSameMatter } from './domain/feedback/same-matter.ts'
import type { AnalystState } from './ports/analyst-state.ts'

export interface SessionsToCapture {
  readonly archive: Pick<SessionArchive, 'read'>
  readonly sessions: readonly ArchivedSession[]
  readonly store: Store
  readonly user: string
  readonly project: string
  readonly folder: string
}

/** New candidates of one session. */
export interface SessionCandidates {
  readonly session: SessionDocument
  readonly candidates: readonly Candidate[]
  /** Whether the session has a draft already; if so, no model is asked about it again. */
  readonly isDrafted: boolean
}

/**
 * Finds decisions and questions in sessions that are neither in the record nor in a draft, dismissed or not, even in
 * other words. Sub-agents talk to agents, so their sessions contain no decision of the user.
 */
export async function newCandidates(
  { feedback }: Pick<AnalystState, 'feedback'>,
  { archive, sessions, store, user, project }: SessionsToCapture,
): Promise<readonly SessionCandidates[]> {
  const known = await draftedBefore({ feedback }, user, project)
  const found: SessionCandidates[] = []
  for (const { path, kind } of sessions) {
    if (kind === 'subagent') continue
    const session = readSession((await archive.read(path)) ?? '')
    if (session === undefined) continue
    const isDrafted = known.some((before) => before.session === session.session)
    const candidates: Candidate[] = []
    for (const candidate of findCandidates(sessionTurns(session))) {
      if (known.some((before) => isSame(before, candidate, session))) continue
      if ((await againstRecord(store, candidate, session)) === undefined) continue
      known.push({ kind: candidate.kind, text: textOf(candidate), session: session.session, turn: candidate.turn })
      candidates.push(candidate)
    }
    if (candidates.length > 0) found.push({ session, candidates, isDrafted })
  }
  return found
}

/** Candidates of a session, and those that a model set aside. */
export interface RefinedSession extends Pick<Refinement, 'kept' | 'setAside'> {
  readonly session: SessionDocument
}

/**
 * Drafts candidates into the inbox and returns the pending drafts. Nothing is recorded before a person accepts it.
 * Candidates that a model set aside are kept as dismissed, so that a person can find and restore them.
 */
export async function draftCandidates(
  { state, clock }: { readonly state: Pick<AnalystState, 'feedback'>; readonly clock: Clock },
  { store, user, project, folder }: Omit<SessionsToCapture, 'archive' | 'sessions'>,
  refined: readonly RefinedSession[],
): Promise<readonly Draft[]> {
  const at = clock.now().toISOString()
  const draftOf = async (one: RefinedCandidate, session: SessionDocument): Promise<Draft[]> => {
    const body = await againstRecord(store, one, session)
    if (body === undefined) return []
    const title = ellipsis(one.title, LONGEST_TITLE)
    const from = { session: session.session }
    return [
      {
        id: clock.ulid(),
        user,
        project,
        folder,
        kind: one.kind,
        title,
        body: capturedBody(body),
        from,
        siblings: [],
        at,
      },
    ]
  }
  const drafts: Draft[] = []
  const aside: Draft[] = []
  for (const { session, kept, setAside } of refined) {
    for (const one of kept) drafts.push(...(await draftOf(one, session)))
    for (const one of setAside) aside.push(...(await draftOf(one, session)))
  }
  if (drafts.length + aside.length > 0) await state.feedback.draft([...drafts, ...aside])
  for (const { id } of aside) await state.feedback.settle(id, { how: 'dismissed', at, where: SET_ASIDE })
  return drafts
}

const SET_ASIDE = 'set aside by the model'
const LONGEST_TITLE = 200
const LONGEST_QUOTE = 1_000

function readSession(text: string): SessionDocument | undefined {
  try {
    return parseSessionMarkdown(text)
  } catch {
    return undefined
  }
}

interface Known {
  readonly kind: string
  readonly text: string
  readonly session: string
  readonly turn: number
}

async function draftedBefore(
  { feedback }: Pick<AnalystState, 'feedback'>,
  user: string,
  project: string,
): Promise<Known[]> {
  const found = await Promise.all(
    (['decision', 'question'] as const).flatMap((kind) =>
      [false, true].map((settled) => feedback.inbox({ user, project, kind, settled })),
    ),
  )
  return found.flat().flatMap((draft) => knownOf(draft) ?? [])
}

function knownOf({ kind, title, body }: Draft): Known | undefined {
  const decision = readDecisionDraft(body)
  const draft = decision ?? readQuestionDraft(body)
  const rejected = decision?.rejected.map(({ alternative }) => alternative) ?? []
  return draft === undefined
    ? undefined
    : { kind, text: [title, ...rejected].join(' '), session: draft.evidence.session, turn: draft.evidence.turn }
}

/** Title and alternatives of decisions that a person accepted or dismissed here. */
export async function settledDecisions(
  { feedback }: Pick<AnalystState, 'feedback'>,
  user: string,
  project: string,
): Promise<string[]> {
  const drafts = await feedback.inbox({ user, project, kind: 'decision', settled: true })
  return drafts.flatMap((draft) => knownOf(draft)?.text ?? [])
}

const textOf = ({ title, rejected }: Candidate): string => [title, ...rejected].join(' ')

/** The same exchange, or a text that mostly consists of the same words. */
const isSame = (before: Known, candidate: Candidate, { session }: SessionDocument): boolean =>
  before.kind === candidate.kind &&
  ((before.session === session && before.turn === candidate.turn) || isSameMatter(before.text, textOf(candidate)))

/** The draft of a candidate; undefined if the record has it already. */
async function againstRecord(
  store: Store,
  candidate: RefinedCandidate,
  { client, session, started }: SessionDocument,
): Promise<DecisionDraft | QuestionDraft | undefined> {
  const { kind, title, rejected, context, quote, turn, at, files, reason } = candidate
  const evidence = { quote: ellipsis(quote, LONGEST_QUOTE), client, session, turn }
  const place = `turn ${turn} of a ${client} session of ${(at || started).slice(0, 10)}`
  if (kind === 'question') {
    const open = openQuestions((await store.read(QUESTIONS)) ?? '')
    if (open.some((one) => isSameMatter(one.body, title))) return undefined
    return { question: title, context: `Said in ${place}.`, evidence }
  }
  const { related_decisions: related, returns_to: returns } = await check(store, {
    proposed_approach: title,
    ...(context !== '' && { context }),
    files,
  })
  const { decisions } = await store.catalogue()
  if (decisions.some((one) => one.status === 'active' && isSameMatter(one.title, title))) return undefined
  // Only the candidate's choice counts: an older decision may have rejected the same alternatives.
  const contradicted =
    related.find(({ brings_back }) => brings_back !== undefined && isSameMatter(brings_back.alternative, title))?.id ??
    returns[0]?.superseded_by
  const offered = context === '' ? '' : `\n\nThe agent had said:\n\n${quoted(context)}`
  return {
    title,
    rationale: `${reason === undefined ? '' : `${reason}\n\n`}Decided in ${place}:\n\n${quoted(ellipsis(quote, LONGEST_QUOTE))}${offered}`,
    rejected: rejected.map((alternative) => ({ alternative, reason: 'Not taken when it was offered.' })),
    files: [...files],
    ...(contradicted !== undefined && { supersedes: numberOf(contradicted) }),
    evidence,
  }
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
const numberOf = (id: string): string => `D${Number.parseInt(id.replace(/^\D*/, ''), 10)}`
