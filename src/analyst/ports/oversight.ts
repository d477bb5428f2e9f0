import type { Chat, SharedVisibility } from '../domain/chat/chat.ts'
import type { ChatLog } from './chat-log.ts'
import type { SharedKind } from './shares.ts'

/** One person's use of one model on one day (UTC) in a project. */
export interface UsageOfDay {
  readonly person: string
  readonly day: string
  readonly model: string
  /** Number of answers written; those of purged chats no longer count. */
  readonly questions: number
  readonly calls: number
  readonly failed: number
  readonly input: number
  readonly output: number
  /** US dollars of calls with a known price. */
  readonly cost: number
  readonly withoutPrice: number
}

export interface ReplayRule {
  readonly on: boolean
  /** Undefined if the rule was never changed; it is then off. */
  readonly changed?: { readonly by: string; readonly at: string }
}

export interface SharedThing {
  readonly of: SharedKind
  readonly id: string
  readonly owner: string
  readonly visibility: SharedVisibility
  /** Number of named people. */
  readonly named: number
  /** Present only if everybody in the project can read the thing. */
  readonly title?: string
  readonly updatedAt: string
}

/**
 * One project as its administrators see it. The code that opens it must check authorisation; the back end itself
 * enforces that chats are replayed only if the project's rule is on.
 */
export interface Oversight {
  replay(): Promise<ReplayRule>
  setReplay(on: boolean, changed: { readonly by: string; readonly at: string }): Promise<void>
  /** Everybody's chats that are not deleted, newest first; none if the rule is off. */
  chats(query: { readonly user?: string; readonly before?: string; readonly limit: number }): Promise<readonly Chat[]>
  chat(id: string): Promise<Chat | undefined>
  /** Log of the chats that may be replayed. */
  readonly log: Pick<ChatLog, 'messages' | 'parts'>
  /** Everything shared in the project, last changed first. */
  shared(limit: number): Promise<readonly SharedThing[]>
  /** Revokes any person's share; false if it does not exist. */
  unshare(of: SharedKind, id: string): Promise<boolean>
  /** Deletes any person's comment on a story; false if it does not exist. */
  removeComment(id: string): Promise<boolean>
  /** Returns usage by day, person and model. */
  usage(since: string): Promise<readonly UsageOfDay[]>
}
