import type { StopSignal } from '../kernel/domain/stop.ts'
import type { ModelTool } from '../kernel/ports/language-model.ts'
import type { EndReason } from './domain/chat/chat.ts'

/** Something that the analyst can do in a turn. */
export interface AnalystTool extends ModelTool {
  /**
   * When a person must say yes to a call: never for what only reads, always for what is not Ken's own, and for what
   * changes something of theirs once the model has read words that they did not write.
   */
  readonly approval: 'none' | 'after_reading' | 'person'
  /** Of a tool of somebody else's: changes with all that its server says about it. */
  readonly mark?: string
  run(input: unknown, call: ToolCallScope): Promise<ToolOutcome>
}

export interface ToolCallScope {
  readonly id: string
  readonly signal: StopSignal
}

export interface ToolOutcome {
  /** As the model gets it: labelled, within the budget of an answer. */
  readonly text: string
  readonly failed: boolean
  /** The answer as data, for those who show it. */
  readonly output?: unknown
  /** The turn is over with this call. */
  readonly ends?: Extract<EndReason, 'answered' | 'asked'>
}
