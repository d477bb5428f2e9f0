import { rowsThatFit } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatQueries, ChatQueryResult } from '../../../analyst/ports/chat-queries.ts'
import { noChat } from '../missing.ts'
import { own, type StateTables } from './state-tables.ts'

export function chatQueriesOn(shelf: StateTables): ChatQueries {
  return {
    async keep(result) {
      if (!shelf.chats.has(result.chat)) throw noChat(result.chat)
      const results = shelf.queries.get(result.chat) ?? new Map()
      shelf.queries.set(result.chat, results)
      results.set(result.id, own({ ...result, rows: rowsThatFit(result.rows) }))
    },
    find: async (chat, id) => own(shelf.queries.get(chat)?.get(id)),
    list: async (chat) => [...(shelf.queries.get(chat)?.values() ?? [])].map(withoutRows),
  }
}

function withoutRows(result: ChatQueryResult): Omit<ChatQueryResult, 'rows'> {
  const { rows: _, ...rest } = result
  return own(rest)
}
