import type { ChatPart } from '../domain/chat/part.ts'

/** The analyst turn in which an operation is called. */
export interface TurnScope {
  readonly chat: string
  /** The answer that is being written. */
  readonly message: string
  readonly call: string
  /** Counts for the whole turn, e.g. of consecutive failed statements. */
  readonly tally: Map<string, number>
  /** Adds a part to the answer, e.g. a chart. */
  add(part: ChatPart): Promise<void>
}
