import { assembleTurns, type SessionEvent } from '../domain/session/assemble.ts'
import { composeSession, type SessionFacts } from '../domain/session/compose.ts'
import type { Reading, Skip } from './ledger.ts'

/** A session assembled from its events, or a skip if it has no text. */
export function harvestedSession(
  facts: SessionFacts,
  events: readonly SessionEvent[],
  skipped: readonly Skip[] = [],
): Omit<Reading<unknown>, 'memo'> {
  const session = composeSession(facts, assembleTurns(events))
  if (session) return { session, skipped, offsets: {} }
  const reason = `Nothing was said in session ${facts.id}.`
  const empty: Skip = { path: facts.files[0] ?? '', session: facts.id, why: 'empty', reason }
  return { session: undefined, skipped: [...skipped, empty], offsets: {} }
}
