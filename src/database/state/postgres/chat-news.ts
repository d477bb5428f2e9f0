import type { ChatNews } from '../../../analyst/ports/chat-news.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'

/** Every change of a chat's log is published here by its transaction; the message is the id of the chat. */
export const CHAT_NEWS = 'ken_chat'

/** One subscription per process, regardless of the number of followed chats. */
export async function openPostgresChatNews(database: SqlDatabase): Promise<ChatNews> {
  const wakes = new Map<string, Set<() => void>>()
  const subscription = await database.listen(CHAT_NEWS, (chat) => {
    // After a gap, anything may have happened in any chat.
    for (const wake of chat === undefined ? [...wakes.values()].flatMap((all) => [...all]) : (wakes.get(chat) ?? []))
      wake()
  })
  return {
    onNews(chat, wake) {
      // A separate function, so that the same one may be registered twice.
      const mine = (): void => wake()
      wakes.set(chat, (wakes.get(chat) ?? new Set()).add(mine))
      return () => {
        const left = wakes.get(chat)
        left?.delete(mine)
        if (left?.size === 0) wakes.delete(chat)
      }
    },
    close: () => subscription.close(),
  }
}
