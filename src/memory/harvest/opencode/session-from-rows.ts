import { asObject, asWords } from '../../../kernel/system/json-value.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { Reading } from '../ledger.ts'
import { conversationOf } from './conversation.ts'
import type { Fork } from './forks.ts'
import type { Loaded, StoredSession } from './stored-session.ts'

export const CLIENT = 'opencode'

// The client's placeholder for an untitled session.
const NO_TITLE = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/

export function sessionFromRows(
  session: StoredSession,
  loaded: Loaded,
  fork: Fork | null,
): Omit<Reading<unknown>, 'memo'> {
  const { projectDir, directory } = placeOf(session, loaded)
  const told = composeSession(
    {
      client: CLIENT,
      id: session.id,
      kind: session.parentId !== undefined ? 'subagent' : fork ? 'fork' : 'main',
      parentId: session.parentId ?? fork?.parent ?? null,
      files: [session.file],
      projectDir,
      directory,
      clientVersion: session.version ?? null,
      archived: session.isArchived,
      titles: [['session', NO_TITLE.test(session.title ?? '') ? undefined : session.title]],
    },
    conversationOf(loaded.messages.slice(fork?.messages ?? 0), session.revert),
  )
  if (told) return { session: told, skipped: loaded.skipped, offsets: {} }
  const reason = fork
    ? `Session ${fork.parent} already has everything in session ${session.id}.`
    : `Nothing was said in session ${session.id}.`
  return {
    session: undefined,
    skipped: [...loaded.skipped, { path: session.file, session: session.id, why: 'empty', reason }],
    offsets: {},
  }
}

/**
 * Without version control the project is the whole disk, and the session's directory is better; the oldest sessions
 * recorded neither.
 */
function placeOf(session: StoredSession, loaded: Loaded): { projectDir: string | null; directory: string | null } {
  const path = loaded.messages.map(({ info }) => asObject(info.path)).find((each) => each !== undefined)
  const directory = session.directory ?? asWords(path?.cwd) ?? null
  const root = session.worktree ?? (session.directory === undefined ? asWords(path?.root) : undefined)
  return { projectDir: root === undefined || root === '/' ? directory : root, directory }
}
