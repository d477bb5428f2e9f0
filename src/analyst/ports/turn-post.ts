import type { Approval } from '../domain/chat/part.ts'

/** A person's order to a running turn. */
export type TurnOrder =
  | { readonly do: 'stop'; readonly chat: string }
  | { readonly do: 'settle'; readonly chat: string; readonly call: string; readonly answer: Approval }

/** Reaches the process that runs a turn. */
export interface TurnPost {
  /** Sends an order to all processes; true once one confirms, false if none does in time. */
  send(order: TurnOrder): Promise<boolean>
  /**
   * Sets the handler for orders from other processes; it returns true if it carried an order out. Replaces the previous
   * handler.
   */
  obey(carryOut: (order: TurnOrder) => Promise<boolean>): void
  close(): Promise<void>
}
