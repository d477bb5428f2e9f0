import { ellipsis } from '../kernel/domain/text.ts'
import { parseSessionMarkdown } from '../memory/domain/session/markdown.ts'
import type { ArchivedSession, SessionArchive } from '../memory/ports/session-archive.ts'
import type { Draft } from './domain/feedback/feedback.ts'
import type { Refusal } from './domain/user-memory/judge-proposals.ts'
import { memoryDraftBody, readMemoryDraft } from './domain/user-memory/memory-draft.ts'
import type { MemoryRow } from './domain/user-memory/memory-row.ts'
import { userMessages } from './domain/user-memory/user-messages.ts'
import { extractMemories, type ExtractParts } from './extract-memories.ts'
import type { AnalystState } from './ports/analyst-state.ts'

export interface SessionsToLearn {
  readonly archive: Pick<SessionArchive, 'read'>
  readonly sessions: readonly ArchivedSession[]
  readonly user: string
  readonly project: string
  readonly folder: string
  /** Called after each session. */
  progress(done: number): void
}

export interface LearnedFromSessions {
  readonly drafts: readonly Draft[]
  readonly refused: readonly Refusal[]
  /** Number of readable sessions. */
  readonly read: number
  readonly failure?: string
}

const MOST_TURNS = 400
/** Messages processed together, so that a long session costs few model calls. */
const AT_ONCE = 17

/**
 * Drafts memories into the inbox from messages that users wrote to agents in harvested sessions. A log is not a person,
 * so nothing is remembered before a person approves it. Active or pending memories are not drafted again.
 */
export async function learnFromSessions(
  parts: Omit<ExtractParts, 'keepCall'> & { readonly state: AnalystState },
  learn: SessionsToLearn,
): Promise<LearnedFromSessions> {
  const { state, clock } = parts
  const { user, project } = learn
  const known = [...(await state.memories.all(user)), ...(await drafted(state, user))]
  const keepCall: ExtractParts['keepCall'] = (call) =>
    state.calls.keep({ ...call, id: clock.ulid(), user, project, purpose: 'memory', at: clock.now().toISOString() })
  const drafts: Draft[] = []
  const refused: Refusal[] = []
  let read = 0
  let failure: string | undefined
  for (const [i, session] of learn.sessions.entries()) {
    if (parts.signal.aborted) break
    const said = await userTurns(learn.archive, session)
    if (said !== undefined) read += 1
    for (let from = 0; from < (said?.length ?? 0); from += AT_ONCE) {
      const window = said!.slice(from, from + AT_ONCE)
      const found = await extractMemories({ ...parts, keepCall }, window, known, AT_ONCE)
      failure ??= found.failure
      refused.push(...found.refused)
      for (const one of found.accepted) {
        const draft = draftOf(one, session, learn, { id: clock.ulid(), at: clock.now().toISOString() })
        drafts.push(draft)
        known.push(asRow(draft, user))
      }
    }
    learn.progress(i + 1)
  }
  if (drafts.length > 0) await state.feedback.draft(drafts)
  return { drafts, refused, read, ...(failure !== undefined && { failure }) }
}

/**
 * Returns the user's turns; undefined for an unreadable session. Sessions of sub-agents contain no user, as their
 * prompts come from agents.
 */
async function userTurns(archive: Pick<SessionArchive, 'read'>, { path, kind }: ArchivedSession) {
  if (kind === 'subagent') return undefined
  const text = await archive.read(path)
  try {
    return parseSessionMarkdown(text ?? '')
      .turns.filter(({ role }) => role === 'user')
      .slice(-MOST_TURNS)
      .map((turn, i) => ({ id: String(i + 1), text: turn.text }))
      .filter((turn) => userMessages([turn]) !== undefined)
  } catch {
    return undefined
  }
}

function draftOf(
  one: { readonly category: MemoryRow['category']; readonly content: string; readonly evidence: string },
  { client, session, title }: ArchivedSession,
  { user, project, folder }: SessionsToLearn,
  { id, at }: { readonly id: string; readonly at: string },
): Draft {
  const { category, content, evidence } = one
  return {
    id,
    user,
    project,
    folder,
    kind: 'memory',
    title: ellipsis(`${content} (${title})`, 200),
    body: memoryDraftBody({
      category,
      content,
      evidence: { words: evidence, source: `${client} ${session}` },
      scope: 'user',
    }),
    from: { session },
    siblings: [],
    at,
  }
}

/** Pending and dismissed drafts: a memory that a person declined is not proposed again. */
async function drafted(state: AnalystState, user: string): Promise<readonly MemoryRow[]> {
  const [waiting, settled] = await Promise.all([
    state.feedback.inbox({ user, kind: 'memory' }),
    state.feedback.inbox({ user, kind: 'memory', settled: true }),
  ])
  return [...waiting, ...settled].flatMap((draft) =>
    readMemoryDraft(draft.body) === undefined ? [] : [asRow(draft, user)],
  )
}

function asRow({ id, body, at }: Draft, user: string): MemoryRow {
  const { category, content, evidence } = readMemoryDraft(body)!
  return { id, user, category, content, evidence, createdAt: at, updatedAt: at }
}
