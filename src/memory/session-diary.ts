import type { TimeSpan } from '../kernel/domain/input/spoken-time.ts'
import type { SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import { sessionFacts, type SessionFacts } from './domain/session/facts.ts'
import { parseSessionMarkdown } from './domain/session/markdown.ts'
import { sessionTurns } from './domain/session/session-turns.ts'
import type { ArchivedSession, SessionArchive } from './ports/session-archive.ts'
import { workspaceIn } from './session-places.ts'

export interface SessionWithFacts {
  readonly done: SessionFacts
  /** Below the archive, with forward slashes. */
  readonly path: string
  readonly session: string
  readonly client: string
  readonly title: string
  readonly branch: string | null
  readonly started: string
  readonly ended: string
}

export interface SessionRange {
  readonly within: SearchScope['within']
  /** Sessions that ended before are skipped. */
  readonly span?: TimeSpan | undefined
  /** Number of sessions to read, the newest first. */
  readonly most: number
}

/**
 * Facts of archived sessions, the newest first. They are computed when read, so they need no migration and cannot
 * disagree with the archive.
 */
export async function* readDiary(
  archive: Pick<SessionArchive, 'list' | 'read'>,
  { within, span, most }: SessionRange,
): AsyncGenerator<SessionWithFacts> {
  const wanted = (await archive.list())
    .filter(
      ({ path, ended }) =>
        (within?.workspaces.includes(workspaceIn(path)) ?? true) &&
        (span === undefined || Date.parse(ended) >= span.from),
    )
    .toSorted((a, b) => (a.ended < b.ended ? 1 : -1))
  for (const session of wanted.slice(0, most)) {
    const facts = await factsOf(archive, session)
    if (facts !== undefined && (span === undefined || Date.parse(facts.started) <= span.to)) yield facts
  }
}

/** Undefined if the file is gone or damaged: `ken doctor` reports it. */
async function factsOf(
  archive: Pick<SessionArchive, 'read'>,
  { path }: ArchivedSession,
): Promise<SessionWithFacts | undefined> {
  const text = await archive.read(path)
  try {
    const document = parseSessionMarkdown(text ?? '')
    const { session, client, title, branch, started, ended } = document
    return {
      done: sessionFacts(sessionTurns(document)),
      path,
      session,
      client,
      title: title ?? 'Untitled session',
      branch,
      started,
      ended,
    }
  } catch {
    return undefined
  }
}
