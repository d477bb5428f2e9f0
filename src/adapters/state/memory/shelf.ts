import type { Chat, ChatMessage } from '../../../core/chat/chat.ts'
import type { TestAttempt, TestRun } from '../../../core/evaluation/test-run.ts'
import type { Draft, Feedback } from '../../../core/feedback/feedback.ts'
import type { Story, StoryData, StoryVersion } from '../../../core/story/story.ts'
import type { MemoryRow } from '../../../core/user-memory/memory-row.ts'
import type { StoredPart } from '../../../ports/chat-log.ts'
import type { ChatQueryResult } from '../../../ports/chat-queries.ts'
import type { ModelCall } from '../../../ports/model-calls.ts'
import type { RowEvent } from '../memory-changes.ts'

/** All that the analyst keeps, in the memory of this process. */
export interface Shelf {
  readonly chats: Map<string, Chat>
  readonly messages: Map<string, ChatMessage>
  /** By chat. */
  readonly parts: Map<string, StoredPart[]>
  /** By chat, then by id. */
  readonly queries: Map<string, Map<string, ChatQueryResult>>
  readonly calls: Map<string, ModelCall>
  readonly stories: Map<string, Story>
  /** By story. */
  readonly versions: Map<string, StoryVersion[]>
  readonly storyData: Map<string, readonly StoryData[]>
  readonly memories: Map<string, MemoryRow>
  memoryEvents: (RowEvent & { readonly change: number; readonly user: string; readonly undone: boolean })[]
  /** By message. */
  readonly votes: Map<string, Feedback>
  readonly drafts: Map<string, Draft>
  readonly runs: Map<string, TestRun>
  /** By run, then by case, model and attempt. */
  readonly attempts: Map<string, Map<string, TestAttempt>>
}

export const emptyShelf = (): Shelf => ({
  chats: new Map(),
  messages: new Map(),
  parts: new Map(),
  queries: new Map(),
  calls: new Map(),
  stories: new Map(),
  versions: new Map(),
  storyData: new Map(),
  memories: new Map(),
  memoryEvents: [],
  votes: new Map(),
  drafts: new Map(),
  runs: new Map(),
  attempts: new Map(),
})

/** What is given out or taken in belongs to nobody else afterwards. */
export const own = <T>(value: T): T => structuredClone(value)

/** The greatest first; among equals, the one that came last. */
export const newestFirst = <T>(values: Iterable<T>, by: (value: T) => string): T[] =>
  [...values].toReversed().sort((a, b) => (by(a) < by(b) ? 1 : by(a) > by(b) ? -1 : 0))
