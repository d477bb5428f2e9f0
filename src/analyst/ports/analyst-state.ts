import type { ChatLog } from './chat-log.ts'
import type { ChatQueries } from './chat-queries.ts'
import type { Chats } from './chats.ts'
import type { FeedbackBox } from './feedback.ts'
import type { ModelCalls } from './model-calls.ts'
import type { Shares } from './shares.ts'
import type { Stories } from './stories.ts'
import type { StoryComments } from './story-comments.ts'
import type { UserMemories } from './user-memories.ts'

/** The analyst's state about people and conversations: one database, one part for each subject. */
export interface AnalystState {
  readonly chats: Chats
  readonly log: ChatLog
  readonly queries: ChatQueries
  readonly calls: ModelCalls
  readonly stories: Stories
  readonly comments: StoryComments
  readonly memories: UserMemories
  readonly feedback: FeedbackBox
  /** Undefined unless several people share a state. */
  readonly shares?: Shares
  close(): Promise<void>
}
