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

/**
 * Drafts decisions and questions from sessions into the inbox and returns the new drafts. Nothing is recorded before a
 * person accepts it. What the record has, or what was drafted before in these or other words, is not drafted again,
 * dismissed or not. Sub-agents talk to agents, so their sessions contain no decision of the user.
 */
export async function captureSessions(
  { state, clock }: { readonly state: Pick<AnalystState, 'feedback'>; readonly clock: Clock },
  { archive, sessions, store, user, project, folder }: SessionsToCapture,
): Promise<readonly Draft[]> {
  const known = await draftedBefore(state, user, project)
  const drafts: Draft[] = []
  for (const { path, kind } of sessions) {
    if (kind === 'subagent') continue
    const session = readSession((await archive.read(path)) ?? '')
    if (session === undefined) continue
    for (const candidate of findCandidates(sessionTurns(session))) {
      const one = known.some((before) => isSame(before, candidate, session))
        ? undefined
        : await againstRecord(store, candidate, session)
      if (one === undefined) continue
      const { kind: what, title, turn } = candidate
      known.push({ kind: what, text: textOf(candidate), session: session.session, turn })
      drafts.push({
        id: clock.ulid(),
        user,
        project,
        folder,
        kind: what,
        title: ellipsis(title, LONGEST_TITLE),
        body: capturedBody(one),
        from: { session: session.session },
        siblings: [],
        at: clock.now().toISOString(),
      })
    }
  }
  if (drafts.length > 0) await state.feedback.draft(drafts)
  return drafts
}

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
  candidate: Candidate,
  { client, session, started }: SessionDocument,
): Promise<DecisionDraft | QuestionDraft | undefined> {
  const { kind, title, rejected, context, quote, turn, at, files } = candidate
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
  // Only what the candidate chooses counts: alternatives that it names may be what an older decision rejected too.
  const contradicted =
    related.find(({ brings_back }) => brings_back !== undefined && isSameMatter(brings_back.alternative, title))?.id ??
    returns[0]?.superseded_by
  const offered = context === '' ? '' : `\n\nThe agent had said:\n\n${quoted(context)}`
  return {
    title,
    rationale: `Decided in ${place}:\n\n${quoted(ellipsis(quote, LONGEST_QUOTE))}${offered}`,
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
