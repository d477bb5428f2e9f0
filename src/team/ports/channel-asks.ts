import type { ChannelAsk } from '../domain/channel/channel-post.ts'

/** Progress of the answer to a channel message. */
export interface AskProgress {
  /** True once posting of the answer's message has begun; `posted` is its id. */
  readonly isPosting: boolean
  readonly posted: string | undefined
  /** The person who asked, once known. */
  readonly person: string | undefined
  readonly chat: string | undefined
  /** The chat message with the answer. */
  readonly answer: string | undefined
  /** True if a person stopped it on purpose. */
  readonly isStopped: boolean
  /** Files by name: the channel's id of the file, and whether it is already shared. */
  readonly files: Readonly<Record<string, { readonly id: string; readonly isThere: boolean }>>
}

export interface TakenAsk extends ChannelAsk, AskProgress {
  readonly isDone: boolean
}

/** Channel messages to answer, each once, however often and by whichever replica they are received. */
export interface ChannelAsks {
  /** False if it is already answered, and for a reply by a person whom the analyst has not answered in that thread. */
  take(project: string, ask: ChannelAsk, at: string): Promise<boolean>
  find(project: string, id: string): Promise<TakenAsk | undefined>
  note(project: string, id: string, progress: Partial<AskProgress>): Promise<void>
  /** Deletes the text of this message, and of all messages older than a month. */
  finish(project: string, id: string, at: string): Promise<void>
  /** The chat that a person continues in a thread. */
  chatOf(project: string, thread: Pick<ChannelAsk, 'channel' | 'thread'>, person: string): Promise<string | undefined>
}
