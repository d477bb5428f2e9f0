import type { Approval } from '../domain/chat/part.ts'

/** What a person says to a turn that is under way. */
export type TurnOrder =
  | { readonly do: 'stop'; readonly chat: string }
  | { readonly do: 'settle'; readonly chat: string; readonly call: string; readonly answer: Approval }

/** Reaches the process that runs a turn, whichever it is. */
export interface TurnPost {
  /** Asks all processes; true once one says that it was done there, false when none does in time. */
  send(order: TurnOrder): Promise<boolean>
  /** What is done here when a process asks: true where it was done. Replaces what was said before. */
  obey(carryOut: (order: TurnOrder) => Promise<boolean>): void
  close(): Promise<void>
}
