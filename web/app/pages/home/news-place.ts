import type { Calls } from '../../api/call.ts'
import { clientName } from '../../kit/names.ts'

export type NewsItem = Calls['news']['output']['news'][number]

/** Path of a news item below the project; undefined if there is nothing to open. */
export function newsPlace({ kind, ref }: Pick<NewsItem, 'kind' | 'ref'>): string | undefined {
  if (kind === 'decision' && ref !== undefined) return `decisions/${encodeURIComponent(ref)}`
  if (kind === 'question' && ref !== undefined)
    return `decisions?${new URLSearchParams({ view: 'questions', question: ref })}`
  if (kind === 'session' && ref !== undefined) return `memory/doc/${encodeURIComponent(ref)}`
  if (kind === 'sync') return 'context/sources'
  return kind === 'state' || kind === 'record' ? 'decisions' : undefined
}

/** The event in a few words: `proposed by Codex`, `Claude Code session`. */
export function newsWords({ kind, did, by, is_agent: isAgent, more }: NewsItem): string {
  const name = isAgent ? clientName(by) : by
  if (kind === 'session') return `${name} session${more === undefined ? '' : `, ${more}`}`.trim()
  const who = by === '' ? '' : ` by ${name}`
  const what = kind === 'question' ? `question ${did}` : did
  const proposal = isAgent && kind === 'decision' && did === 'recorded' ? 'proposed' : what
  return `${proposal}${who}${more === undefined ? '' : `, ${more}`}`
}

/** Mark before a title: ids that people use. */
export const newsMark = ({ kind, ref }: Pick<NewsItem, 'kind' | 'ref'>): string | undefined =>
  kind === 'decision' || kind === 'question' ? ref : undefined
