import type { ChatMessage, MessageEnd } from '../domain/chat/chat.ts'
import type { ChatPart } from '../domain/chat/part.ts'

export interface StoredPart {
  /** From 1, in its chat; numbers are never given twice and never change. */
  readonly number: number
  readonly message: string
  readonly at: string
  readonly part: ChatPart
}

/**
 * The messages of chats and what they are made of, in the order in which it happened. Every back end passes
 * test/contract/chat-log.contract.ts. Whatever a call has resolved for survives a crash; what a text has grown by since
 * survives that of the process, and may be lost with the machine's. Of texts, what is no Unicode or NUL is kept as U+FFFD. Throws `invalid_input` for a part over
 * `MOST_PART`.
 */
export interface ChatLog {
  /**
   * A message with the parts it begins with, all or none; its chat is `updatedAt` then. Gives their numbers. Throws
   * `not_found` without its chat, `conflict` for an id that there is already.
   */
  begin(message: ChatMessage, parts: readonly ChatPart[]): Promise<readonly number[]>
  /** Adds a part, also to a message that has ended, and gives its number. Throws `not_found`. */
  append(message: Pick<ChatMessage, 'id' | 'chat'>, part: ChatPart, at: string): Promise<number>
  /** What a text or reasoning says by now; a shorter one is not taken. Throws `not_found`. */
  grow(chat: string, number: number, text: string, carry?: unknown): Promise<void>
  /** The first end holds. Throws `not_found`. */
  end(message: string, end: MessageEnd): Promise<void>
  /** The messages of a chat, the oldest first; those that were edited away are left out unless asked for. */
  messages(chat: string, options?: { readonly superseded?: boolean }): Promise<readonly ChatMessage[]>
  /** Parts after a number, in order, of messages that were not edited away. */
  parts(chat: string, after: number, limit?: number): Promise<readonly StoredPart[]>
  /** Edits away a message and all that came after it. Throws `not_found`. */
  supersede(chat: string, message: string): Promise<void>
  /** Answers that began before then and never ended, of all chats, the oldest first: what a crash left. */
  unended(before: string): Promise<readonly ChatMessage[]>
}
