import type { Chat } from '../domain/chat/chat.ts'

export interface ChatQuery {
  readonly user: string
  readonly project?: string
  /** Words that must all occur in its title or message texts, ignoring case, including inside longer words. */
  readonly text?: string
  /** Prefix of their ids. */
  readonly prefix?: string
  /** Deleted ones instead of the others. */
  readonly deleted?: boolean
  /** Only older ones, by the time of the sort order. */
  readonly before?: string
  readonly limit: number
}

/**
 * Conversations with the analyst. Every back end passes test/contract/chats.contract.ts. Resolved calls survive a
 * crash; several processes may use one state at once.
 */
export interface Chats {
  /** Throws `conflict` for an existing id. */
  start(chat: Chat): Promise<void>
  /** Includes deleted ones; undefined for another user's chat. */
  find(id: string, user: string): Promise<Chat | undefined>
  /** The chat of a message; undefined for another user's chat. */
  ofMessage(message: string, user: string): Promise<Chat | undefined>
  /** Newest first, by `updatedAt`; deleted ones by time of deletion. */
  list(query: ChatQuery): Promise<readonly Chat[]>
  /** Throws `not_found`. `deletedAt: null` restores it. */
  change(id: string, change: ChatChange): Promise<void>
  /** Purges chats deleted before then, with all their data; returns how many. */
  sweep(before: string): Promise<number>
  /** Purges one chat, deleted or not. Throws `not_found`. */
  erase(id: string): Promise<void>
}

export interface ChatChange {
  readonly title?: string
  readonly starred?: boolean
  readonly deletedAt?: string | null
  readonly clientSession?: string
}
