import type { Chat, SharedVisibility } from '../domain/chat/chat.ts'
import type { Story } from '../domain/story/story.ts'

export type SharedKind = 'chat' | 'story'

/** The readers of something besides its owner. */
export interface Audience {
  readonly visibility: SharedVisibility | 'private'
  /** Ids of named people; empty unless the visibility is `named`. */
  readonly readers: readonly string[]
}

/** Query for other users' chats; has the same fields as a query for the user's own chats. */
export interface SharedChatQuery {
  readonly text?: string
  readonly prefix?: string
  readonly before?: string
  readonly limit: number
}

/**
 * Chats and stories that a person shares with others of their project, and those that others share with them. Deleted
 * or archived items are visible only to their owner; test/postgres/state-walls.ts tests this isolation.
 */
export interface Shares {
  /** Returns the audience of the user's own item; throws `not_found`. */
  audience(of: SharedKind, id: string): Promise<Audience>
  /**
   * Replaces the whole audience: people who are no longer named lose access immediately. Readers of a story see the
   * comments of threads that began at or after `commentsSince`; if undefined, the same as before. Throws `not_found`.
   */
  share(of: SharedKind, id: string, audience: Audience, commentsSince?: string): Promise<void>
  /** A chat that another person shares with the user. */
  chat(id: string): Promise<Chat | undefined>
  /** Lists other users' chats, newest first. */
  chats(query: SharedChatQuery): Promise<readonly Chat[]>
  /** Finds another person's story by id or slug; if several have the same slug, the oldest. */
  story(named: string): Promise<Story | undefined>
  /** Lists other users' stories, last changed first. */
  stories(): Promise<readonly Story[]>
}
