import type { Calls } from '../../../api/call.ts'

export type SourceRow = Calls['source_list']['output']['sources'][number]

export interface SourceState {
  readonly word: string
  readonly tone: 'good' | 'warn' | 'bad' | 'plain'
  /** Why, where there is something to say. */
  readonly reason?: string
}

/** How a source stands, in one word; what matters most comes first. */
export function sourceState({ problem, trusted, failing, synced, reaches }: SourceRow): SourceState {
  if (problem !== undefined) return { word: 'broken', tone: 'bad', reason: problem }
  if (!trusted) return { word: 'not trusted', tone: 'warn', reason: `It would ${reaches.join(', ')}.` }
  if (failing !== undefined) return { word: 'failing', tone: 'bad', reason: failing.reason }
  return synced === undefined ? { word: 'not synced yet', tone: 'plain' } : { word: 'synced', tone: 'good' }
}
