import type { Calls } from '../../../api/call.ts'
import { isTeam } from '../../../api/server.ts'

export type SourceRow = Calls['source_list']['output']['sources'][number]

export interface SourceState {
  readonly word: string
  readonly tone: 'good' | 'warn' | 'bad' | 'plain'
  /** The reason, if there is one. */
  readonly reason?: string
  /** When it began, if the word alone does not say enough. */
  readonly since?: string
}

/** Status of a source, in one word; if several apply, the most important one. */
export function sourceState({ key, problem, trusted, failing, synced, reaches }: SourceRow): SourceState {
  if (problem !== undefined) return { word: 'broken', tone: 'bad', reason: problem }
  // A server compiles nothing, so a source it may not reach matters only if the analyst would query it.
  if (isTeam() && !trusted && key.startsWith('database/'))
    return { word: 'not allowed', tone: 'warn', reason: NOT_ALLOWED }
  if (!isTeam() && !trusted) return { word: 'not trusted', tone: 'warn', reason: `It would ${reaches.join(', ')}.` }
  if (failing !== undefined) return { word: 'failing', tone: 'bad', reason: failing.reason }
  return synced === undefined
    ? { word: 'not synced yet', tone: 'plain' }
    : { word: 'synced', tone: 'good', since: synced }
}

const NOT_ALLOWED =
  'The analyst can read its files but not query it: the server’s operator has not allowed it. Admins find the required entry in Settings.'
