import type { Chat, SharedVisibility } from '../domain/chat/chat.ts'
import type { ChatLog } from './chat-log.ts'
import type { SharedKind } from './shares.ts'

/** What one person asked of one model on one day (of UTC) in a project. */
export interface UsageOfDay {
  readonly person: string
  readonly day: string
  readonly model: string
  /** Answers that were written; those of chats that were deleted for good are not counted any more. */
  readonly questions: number
  readonly calls: number
  readonly failed: number
  readonly input: number
  readonly output: number
  /** In US dollars, of those calls whose price is known. */
  readonly cost: number
  readonly withoutPrice: number
}

export interface ReplayRule {
  readonly on: boolean
  /** Undefined where nobody ever changed it: it is off then. */
  readonly changed?: { readonly by: string; readonly at: string }
}

export interface SharedThing {
  readonly of: SharedKind
  readonly id: string
  readonly owner: string
  readonly visibility: SharedVisibility
  /** How many people were named. */
  readonly named: number
  /** Only of what everybody in the project reads. */
  readonly title?: string
  readonly updatedAt: string
}

/**
 * One project as those see it who look after it. Who may ask is for whoever opens it to decide; that chats are replayed
 * only where the rule of the project is on is held by the back end itself.
 */
export interface Oversight {
  replay(): Promise<ReplayRule>
  setReplay(on: boolean, changed: { readonly by: string; readonly at: string }): Promise<void>
  /** Everybody's that were not deleted, the newest first; none where the rule is off. */
  chats(query: { readonly user?: string; readonly before?: string; readonly limit: number }): Promise<readonly Chat[]>
  chat(id: string): Promise<Chat | undefined>
  /** Of such chats. */
  readonly log: Pick<ChatLog, 'messages' | 'parts'>
  /** What is shared in the project, the one changed last first. */
  shared(limit: number): Promise<readonly SharedThing[]>
  /** Takes back what anybody shares; false where there is no such thing. */
  unshare(of: SharedKind, id: string): Promise<boolean>
  /** By day, person and model. */
  usage(since: string): Promise<readonly UsageOfDay[]>
}
