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

export interface Usage {
  readonly input: number
  readonly output: number
  /** Of the input, read from the provider's cache. */
  readonly cached: number
  /** Of the output, spent on thinking. */
  readonly reasoning: number
  /** In US dollars; undefined where the price is not known. */
  readonly cost?: number
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, reasoning: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    ...(cost !== undefined && { cost }),
  }
}
