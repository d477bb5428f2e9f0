import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { ChatEvent, EventPlace } from '../domain/chat/event.ts'
import type { Approval } from '../domain/chat/part.ts'
import type { ChatLog } from './chat-log.ts'

/** The turns of the analyst that are under way, and who listens to them. */
export interface RunningTurns {
  /**
   * What happened in a chat after a place, from the beginning without one, and then what happens: as it is stored first,
   * then live. Ends with the turn that is under way, at once where there is none. Also hears of a turn that another
   * process runs. With `readers`, the log as somebody else than its owner reads it, nothing is heard but what that
   * tells, and nothing is ended.
   */
  follow(
    chat: string,
    after: EventPlace | undefined,
    signal: StopSignal,
    readers?: Pick<ChatLog, 'messages' | 'parts'>,
  ): AsyncIterable<ChatEvent>
  /**
   * Stops the turn of a chat, down to the database; false where none is under way, or none in reach: on one machine
   * that is this process, on a team server all of them.
   */
  stop(chat: string): Promise<boolean>
  /** In this process. */
  isRunning(chat: string): boolean
  /** A person's word on a call of a chat that waits for it; false where none does. Other chats may use the same id. */
  settle(chat: string, call: string, answer: Approval): Promise<boolean>
}
