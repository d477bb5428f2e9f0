import type { Usage } from '../../../kernel/domain/model-usage.ts'
/** One conversation with the analyst. */
export interface Chat {
  readonly id: string
  readonly user: string
  /** Id of the chat's project, or of a folder without one. */
  readonly project: string
  /** The folder of the chat's context project. */
  readonly folder: string
  readonly title: string
  readonly starred: boolean
  readonly createdAt: string
  /** Start time of the last message. */
  readonly updatedAt: string
  /** Deletion time; deleted chats can be restored until they are purged. */
  readonly deletedAt?: string
  /** Session id of the client that answers this chat, for resuming. */
  readonly clientSession?: string
  /** The chat that this one continues, and that chat's owner. */
  readonly origin?: ChatOrigin
  /** Readers besides the chat's user; undefined if private. */
  readonly visibility?: SharedVisibility
}

export interface ChatOrigin {
  readonly chat: string
  readonly user: string
  /** Id of the last message that was copied. */
  readonly message?: string
}

/** Everybody in the project, or named people. */
export type SharedVisibility = 'project' | 'named'

export interface ChatMessage {
  readonly id: string
  readonly chat: string
  readonly role: 'user' | 'assistant'
  readonly at: string
  /**
   * `provider:model`, or `agent:client`; `evidence` if no model was used. For a question: the agent that asked it, if
   * no person did.
   */
  readonly model?: string
  /** Undefined while the message is being written, and after a crash. */
  readonly end?: MessageEnd
  /** Replaced by an edit: kept, but no longer part of the conversation. */
  readonly superseded: boolean
}

export interface MessageEnd {
  readonly reason: EndReason
  readonly usage: Usage
  readonly milliseconds: number
  readonly steps: number
  /** Tokens of the model's window used at its last step; undefined if unknown. */
  readonly window?: { readonly used: number; readonly size: number }
}

/**
 * `answered`; `asked`: the analyst asked back; `stopped` by the person; `capped` by a limit; `failed` at a provider;
 * `cut` by a crash.
 */
export const END_REASONS = ['answered', 'asked', 'stopped', 'capped', 'failed', 'cut'] as const
export type EndReason = (typeof END_REASONS)[number]
