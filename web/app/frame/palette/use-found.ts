import { label } from '../../../../src/record/domain/decision/decision.ts'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import type { IconName } from '../../kit/icon.tsx'
import { hitTitle, plainTitle } from '../../kit/names.ts'
import { useGo } from '../use-go.ts'
import type { PaletteEntry } from './palette-entry.ts'

const EACH = 8

/** Search hits of the operations, at most a few of each kind; a failed operation contributes none. */
export function useFound(words: string): { readonly entries: readonly PaletteEntry[]; readonly isPending: boolean } {
  const query = words.trim()
  const number = Number(/^d?0*(\d{1,9})$/i.exec(query)?.[1] ?? -1)
  const when = (isWanted: boolean) => ({ enabled: query !== '' && isWanted, keep: query !== '' })
  const named = useAnswer('get_decision', { number: Math.max(0, number), mode: 'header' }, when(number >= 0))
  const decisions = useAnswer(
    'search_decisions',
    { query, limit: EACH, include_superseded: true },
    when(query.length > 1),
  )
  const tables = useAnswer('list_tables', { match: `*${query.replaceAll(/[*?]/g, '')}*`, limit: EACH }, when(true))
  const memory = useAnswer(
    'memory_query',
    { query, limit: EACH, origin: ['session', 'note', 'document'] },
    when(query.length > 1),
  )
  const chats = useAnswer('chats_list', { words: query.split(/\s+/).slice(0, 50), limit: EACH }, when(true))
  const { decision, table, document, chat } = useEntries()
  const all = [named, decisions, tables, memory, chats]
  if (query === '') return { entries: [], isPending: false }
  const known = number >= 0 && named.data?.number === number ? [named.data] : []
  const found = (decisions.data?.results ?? []).filter((one) => one.number !== known[0]?.number)
  return {
    entries: [
      ...known.map((one) => decision(one, 1)),
      ...found.map((one) => decision(one, one.verdict === 'weak' ? undefined : one.score)),
      ...(tables.data?.tables ?? []).map(table),
      ...(memory.data?.results ?? []).map(document),
      ...(chats.data?.chats ?? []).map(chat),
    ],
    isPending: all.some(({ isFetching }) => isFetching),
  }
}

type Decision = Calls['search_decisions']['output']['results'][number]
type Table = Calls['list_tables']['output']['tables'][number]
type Hit = Calls['memory_query']['output']['results'][number]
type Chat = Calls['chats_list']['output']['chats'][number]

/** Converts hits to palette entries. */
function useEntries() {
  const go = useGo()
  return {
    decision: (one: Pick<Decision, 'number' | 'title' | 'status'>, found: number | undefined): PaletteEntry => ({
      id: `decision-${one.number}`,
      kind: one.status === 'superseded' ? 'Decision, superseded' : 'Decision',
      title: plainTitle(one.title),
      names: [label(one.number), `D${one.number}`, String(one.number)],
      aside: label(one.number),
      icon: 'decisions',
      ...(found !== undefined && { found }),
      run: () => go.decision(one.number),
    }),
    table: (one: Table): PaletteEntry => ({
      id: `table-${one.database}-${one.table}`,
      kind: 'Table',
      title: one.table,
      aside: one.database,
      icon: 'table',
      found: 0.5,
      run: () => go.table(one.database, one.table),
    }),
    document: (one: Hit): PaletteEntry => ({
      id: `document-${one.id}`,
      kind: KINDS[one.origin]?.[0] ?? one.origin,
      title: hitTitle(one),
      icon: KINDS[one.origin]?.[1] ?? 'file',
      // A weak hit has no score, so it must also match by name.
      ...(one.verdict !== 'weak' && { found: one.score }),
      run: () => go.document(one.id),
    }),
    chat: (one: Chat): PaletteEntry => ({
      id: `chat-${one.id}`,
      kind: 'Chat',
      title: plainTitle(one.title),
      icon: 'ask',
      found: 0.5,
      run: () => go.chat(one.id),
    }),
  }
}

const KINDS: Readonly<Record<string, readonly [kind: string, icon: IconName]>> = {
  session: ['Session', 'terminal'],
  note: ['Note', 'edit'],
  document: ['Document', 'file'],
}
