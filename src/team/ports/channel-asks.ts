import type { ChannelAsk } from '../domain/channel/channel-news.ts'

/** How far the answer to a message of a channel is. */
export interface AskProgress {
  /** The message was being posted in which the answer appears; `posted` is its id. */
  readonly isPosting: boolean
  readonly posted: string | undefined
  /** Whoever asked, once they are known. */
  readonly person: string | undefined
  readonly chat: string | undefined
  /** The message of the chat that answers. */
  readonly answer: string | undefined
  /** Somebody stopped it on purpose. */
  readonly isStopped: boolean
  /** By name: the id that the channel gave it, and whether it is there. */
  readonly files: Readonly<Record<string, { readonly id: string; readonly isThere: boolean }>>
}

export interface TakenAsk extends ChannelAsk, AskProgress {
  readonly isDone: boolean
}

/** Messages of channels that are to be answered, each once whoever hears of it how often. */
export interface ChannelAsks {
  /**
   * False where it is answered already, and for a reply of somebody whom the analyst has not answered in that thread.
   */
  take(project: string, ask: ChannelAsk, at: string): Promise<boolean>
  find(project: string, id: string): Promise<TakenAsk | undefined>
  note(project: string, id: string, progress: Partial<AskProgress>): Promise<void>
  /** Takes its words away, and all of those that were asked a month before. */
  finish(project: string, id: string, at: string): Promise<void>
  /** The chat in which a person goes on in a thread. */
  chatOf(project: string, thread: Pick<ChannelAsk, 'channel' | 'thread'>, person: string): Promise<string | undefined>
}
