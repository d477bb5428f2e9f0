import type { ChatMessage, MessageEnd } from '../domain/chat/chat.ts'
import type { ChatPart } from '../domain/chat/part.ts'

export interface StoredPart {
  /** 1-based number in the chat; never reused and never changed. */
  readonly number: number
  readonly message: string
  readonly at: string
  readonly part: ChatPart
}

/**
 * The messages of chats and their parts, in the order in which they happened. Every back end passes
 * test/contract/chat-log.contract.ts. Resolved calls survive a crash; the growth of a text survives a crash of the
 * process, and may be lost with the machine. In texts, invalid Unicode and NUL are stored as U+FFFD. Throws
 * `invalid_input` for a part over `MOST_PART`.
 */
export interface ChatLog {
  /**
   * Adds a message with its first parts, all or none, and sets `updatedAt` of its chat. Returns the parts' numbers.
   * Throws `not_found` without its chat, `conflict` for an existing id.
   */
  begin(message: ChatMessage, parts: readonly ChatPart[]): Promise<readonly number[]>
  /** Adds a part, even to a message that has ended, and returns its number. Throws `not_found`. */
  append(message: Pick<ChatMessage, 'id' | 'chat'>, part: ChatPart, at: string): Promise<number>
  /** Replaces a text or reasoning by a longer version; ignores a shorter one. Throws `not_found`. */
  grow(chat: string, number: number, text: string, carry?: unknown): Promise<void>
  /** Ends a message; a second end is ignored. Throws `not_found`. */
  end(message: string, end: MessageEnd): Promise<void>
  /** The messages of a chat, oldest first; superseded ones only on request. */
  messages(chat: string, options?: { readonly superseded?: boolean }): Promise<readonly ChatMessage[]>
  /** Parts after a number, in order, of messages that are not superseded. */
  parts(chat: string, after: number, limit?: number): Promise<readonly StoredPart[]>
  /** Supersedes a message and all messages after it. Throws `not_found`. */
  supersede(chat: string, message: string): Promise<void>
  /**
   * Returns answers from all chats that began before the given time and never ended, oldest first: left over after a
   * crash.
   */
  unended(before: string): Promise<readonly ChatMessage[]>
}
