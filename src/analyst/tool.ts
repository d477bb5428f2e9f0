import type { StopSignal } from '../kernel/domain/stop.ts'
import type { ModelTool } from '../kernel/ports/language-model.ts'
import type { EndReason } from './domain/chat/chat.ts'

/** A tool of the analyst in a turn. */
export interface AnalystTool extends ModelTool {
  /**
   * When a person must approve a call: never for a reading tool, always for a third-party one, and for one that changes
   * something of the person's once the model has read third-party text.
   */
  readonly approval: 'none' | 'after_reading' | 'person'
  /** For a third-party tool: a mark that changes with everything that its server declares about it. */
  readonly mark?: string
  run(input: unknown, call: ToolCallScope): Promise<ToolOutcome>
}

export interface ToolCallScope {
  readonly id: string
  readonly signal: StopSignal
}

export interface ToolOutcome {
  /** Result text for the model: labelled, within the answer budget. */
  readonly text: string
  readonly failed: boolean
  /** The answer as data, for display. */
  readonly output?: unknown
  /** Set if this call ends the turn. */
  readonly ends?: Extract<EndReason, 'answered' | 'asked'>
}
