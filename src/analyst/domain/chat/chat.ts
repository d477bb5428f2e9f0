import type { Usage } from '../../../kernel/domain/model-usage.ts'
/** One conversation with the analyst. */
export interface Chat {
  readonly id: string
  readonly user: string
  /** Whose it is: the id of a project, or of a folder that belongs to none. */
  readonly project: string
  /** The folder of its context project. */
  readonly folder: string
  readonly title: string
  readonly starred: boolean
  readonly createdAt: string
  /** When its last message began. */
  readonly updatedAt: string
  /** Deleted ones can be brought back until they are swept away. */
  readonly deletedAt?: string
  /** Where a client of its own goes on: the id that it gave its session. */
  readonly clientSession?: string
  /** The chat that it goes on from, and whose that was. */
  readonly origin?: ChatOrigin
  /** Who reads it besides its user; nobody where it is undefined. */
  readonly visibility?: SharedVisibility
}

export interface ChatOrigin {
  readonly chat: string
  readonly user: string
  /** The last message that was taken along. */
  readonly message?: string
}

/** Everybody in the project, or those who were named. */
export type SharedVisibility = 'project' | 'named'

export interface ChatMessage {
  readonly id: string
  readonly chat: string
  readonly role: 'user' | 'assistant'
  readonly at: string
  /**
   * `provider:model`, or `agent:client`; `evidence` where no model was asked. Of a question: the agent that asked it,
   * where no person did.
   */
  readonly model?: string
  /** Undefined while it is being written, and after a crash. */
  readonly end?: MessageEnd
  /** Edited away: kept, and no longer a part of the conversation. */
  readonly superseded: boolean
}

export interface MessageEnd {
  readonly reason: EndReason
  readonly usage: Usage
  readonly milliseconds: number
  readonly steps: number
  /** How full the window of the model was at its last step, in tokens; undefined where that is not known. */
  readonly window?: { readonly used: number; readonly size: number }
}

/**
 * `answered`; `asked` back; `stopped` by the person; `capped` by a limit; `failed` at a provider; `cut` off by a crash.
 */
export const END_REASONS = ['answered', 'asked', 'stopped', 'capped', 'failed', 'cut'] as const
export type EndReason = (typeof END_REASONS)[number]
