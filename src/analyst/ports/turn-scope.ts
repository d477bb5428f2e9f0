import type { ChatPart } from '../domain/chat/part.ts'

/** The turn of the analyst that an operation is called in. */
export interface TurnScope {
  readonly chat: string
  /** The answer that is being written. */
  readonly message: string
  /** The id of the call. */
  readonly call: string
  /** Counts that hold for the whole turn, e.g. of statements that failed one after the other. */
  readonly tally: Map<string, number>
  /** Adds to the answer, e.g. a chart. */
  add(part: ChatPart): Promise<void>
}
