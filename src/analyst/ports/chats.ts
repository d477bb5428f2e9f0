import type { Chat } from '../domain/chat/chat.ts'

export interface ChatQuery {
  readonly user: string
  readonly project?: string
  /**
   * Words that must all occur in the chat's title or message texts. Case is ignored, and matches inside longer words
   * count.
   */
  readonly text?: string
  /** Prefix of the chat ids. */
  readonly prefix?: string
  /** Lists deleted chats instead of the others. */
  readonly deleted?: boolean
  /** Lists only older chats, by the time that they are sorted by. */
  readonly before?: string
  readonly limit: number
}

/**
 * Conversations with the analyst. Every back end passes test/contract/chats.contract.ts. Resolved calls survive a
 * crash; several processes may use one state at once.
 */
export interface Chats {
  /** Stores a new chat. Throws `conflict` for an existing id. */
  start(chat: Chat): Promise<void>
  /** Finds a chat, including deleted ones; undefined for another user's chat. */
  find(id: string, user: string): Promise<Chat | undefined>
  /** The chat of a message; undefined for another user's chat. */
  ofMessage(message: string, user: string): Promise<Chat | undefined>
  /** Lists chats newest first, by `updatedAt`; deleted ones by time of deletion. */
  list(query: ChatQuery): Promise<readonly Chat[]>
  /** Changes a chat; `deletedAt: null` restores it. Throws `not_found`. */
  change(id: string, change: ChatChange): Promise<void>
  /** Purges chats deleted before the given time, with all their data; returns how many. */
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
