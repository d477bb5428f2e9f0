import type { EndReason } from '../core/chat/chat.ts'
import type { StopSignal } from '../core/sql/query.ts'
import type { ModelTool } from '../ports/language-model.ts'

/** Something that the analyst can do in a turn. */
export interface AnalystTool extends ModelTool {
  /** Whether a person must say yes to a call: always for what is not Ken's own. */
  readonly approval: 'none' | 'person'
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
