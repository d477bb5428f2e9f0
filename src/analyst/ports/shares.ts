import type { Chat, SharedVisibility } from '../domain/chat/chat.ts'
import type { Story } from '../domain/story/story.ts'

export type SharedKind = 'chat' | 'story'

/** Who reads something besides its owner. */
export interface Audience {
  readonly visibility: SharedVisibility | 'private'
  /** Ids of those who were named; empty unless the visibility is `named`. */
  readonly readers: readonly string[]
}

/** Of chats of others: like that of one's own. */
export interface SharedChatQuery {
  readonly text?: string
  readonly prefix?: string
  readonly before?: string
  readonly limit: number
}

/**
 * What a person lets others of their project read, and what others let them. What
 * was deleted or archived is there for nobody but its owner; test/postgres/state-walls.ts tries the walls of it.
 */
export interface Shares {
  /** Of something of one's own; throws `not_found`. */
  audience(of: SharedKind, id: string): Promise<Audience>
  /** All of it at once: whoever is not named any more reads nothing from then on. Throws `not_found`. */
  share(of: SharedKind, id: string, audience: Audience): Promise<void>
  /** Of another person who shares it with this one. */
  chat(id: string): Promise<Chat | undefined>
  /** Those of others, the newest first. */
  chats(query: SharedChatQuery): Promise<readonly Chat[]>
  /** By id or slug, of another person; of several with one slug the oldest. */
  story(named: string): Promise<Story | undefined>
  /** Those of others, the one changed last first. */
  stories(): Promise<readonly Story[]>
}
