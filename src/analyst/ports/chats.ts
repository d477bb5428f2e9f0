import type { Chat } from '../domain/chat/chat.ts'

export interface ChatQuery {
  readonly user: string
  readonly project?: string
  /** Words that its title and the texts of its messages hold, all of them, in any case, also inside longer ones. */
  readonly text?: string
  /** What their ids begin with. */
  readonly prefix?: string
  /** Those that were deleted instead of the others. */
  readonly deleted?: boolean
  /** Only older ones, by the time that they are ordered by. */
  readonly before?: string
  readonly limit: number
}

/**
 * Conversations with the analyst. Every back end passes test/contract/chats.contract.ts. Whatever a call has resolved
 * for survives a crash; several processes may use one state at once.
 */
export interface Chats {
  /** Throws `conflict` for an id that there is already. */
  start(chat: Chat): Promise<void>
  /** Also a deleted one; undefined for that of another user. */
  find(id: string, user: string): Promise<Chat | undefined>
  /** The chat that a message stands in; undefined for that of another user. */
  ofMessage(message: string, user: string): Promise<Chat | undefined>
  /** The newest first, by `updatedAt`; of deleted ones those that were deleted last. */
  list(query: ChatQuery): Promise<readonly Chat[]>
  /** Throws `not_found`. `deletedAt: null` brings it back. */
  change(id: string, change: ChatChange): Promise<void>
  /** Takes away for good what was deleted before then, with all that belongs to it; says how many. */
  sweep(before: string): Promise<number>
  /** The same of one chat, deleted or not. Throws `not_found`. */
  erase(id: string): Promise<void>
}

export interface ChatChange {
  readonly title?: string
  readonly starred?: boolean
  readonly deletedAt?: string | null
  readonly clientSession?: string
}
