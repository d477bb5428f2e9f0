import type { StopSignal } from '../kernel/domain/stop.ts'
import type { ModelTool } from '../kernel/ports/language-model.ts'
import type { EndReason } from './domain/chat/chat.ts'
import type { ChatPart } from './domain/chat/part.ts'

/** A tool of the analyst in a turn. */
export interface AnalystTool extends ModelTool {
  /**
   * When a person must approve a call: never for a reading tool, always for a third-party one, and for one that changes
   * the person's data once the model has read third-party text.
   */
  readonly approval: 'none' | 'after_reading' | 'person'
  /** For a third-party tool: a mark that changes with any part of its server's declaration. */
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

/** Key of an approval for the whole chat: a tool that has changed needs a new approval. */
export const allowedKey = ({ name, mark }: Pick<AnalystTool, 'name' | 'mark'>): string => `${name}\n${mark ?? ''}`

/** Third-party tools that a person allowed for this chat. */
export function allowedIn(parts: readonly ChatPart[]): Set<string> {
  // Call ids come from the model, which may reuse one in a later turn: an approval applies to the request before it.
  const asked = new Map<string, string>()
  const allowed = new Set<string>()
  for (const part of parts) {
    if (part.kind === 'approval' && !part.own)
      asked.set(part.call, allowedKey({ name: part.tool, ...(part.mark && { mark: part.mark }) }))
    if (part.kind !== 'approved') continue
    const about = asked.get(part.call)
    if (part.answer === 'chat' && about !== undefined) allowed.add(about)
    asked.delete(part.call)
  }
  return allowed
}
