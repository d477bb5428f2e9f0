import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { ChatEvent, EventPlace } from '../domain/chat/event.ts'
import type { Approval } from '../domain/chat/part.ts'
import type { ChatLog } from './chat-log.ts'

/** The running turns of the analyst and their subscribers. */
export interface RunningTurns {
  /**
   * Yields the events of a chat after a place (from the beginning without one): stored ones first, then live. Ends with
   * the running turn, or immediately if there is none. Includes a turn of another process. With `readers`, the log as
   * seen by readers other than the owner, yields only the content of that log, and never closes an abandoned turn.
   */
  follow(
    chat: string,
    after: EventPlace | undefined,
    signal: StopSignal,
    readers?: Pick<ChatLog, 'messages' | 'parts'>,
  ): AsyncIterable<ChatEvent>
  /**
   * Stops the turn of a chat, including its database queries; false if no reachable process runs one: on one machine
   * only this process is reachable, on a team server all processes are.
   */
  stop(chat: string): Promise<boolean>
  /** Whether a turn runs in this process. */
  isRunning(chat: string): boolean
  /**
   * Passes on a person's decision about a pending call in a chat; false if none is pending. Other chats may use the
   * same call id.
   */
  settle(chat: string, call: string, answer: Approval): Promise<boolean>
}
