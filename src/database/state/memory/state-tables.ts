import type { Chat, ChatMessage } from '../../../analyst/domain/chat/chat.ts'
import type { Draft, Feedback } from '../../../analyst/domain/feedback/feedback.ts'
import type { Story, StoryData, StoryVersion } from '../../../analyst/domain/story/story.ts'
import type { MemoryRow } from '../../../analyst/domain/user-memory/memory-row.ts'
import type { StoredPart } from '../../../analyst/ports/chat-log.ts'
import type { ChatQueryResult } from '../../../analyst/ports/chat-queries.ts'
import type { ModelCall } from '../../../analyst/ports/model-calls.ts'
import type { TestAttempt, TestRun } from '../../../evaluation/domain/test-run.ts'
import type { RowEvent } from '../memory-changes.ts'

/** All data of the analyst, in memory. */
export interface StateTables {
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

export const emptyTables = (): StateTables => ({
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

/** Copies values on the way in and out, so that callers share nothing. */
export const own = <T>(value: T): T => structuredClone(value)

/** Greatest first; among equals, the latest. */
export const newestFirst = <T>(values: Iterable<T>, by: (value: T) => string): T[] =>
  [...values].toReversed().sort((a, b) => (by(a) < by(b) ? 1 : by(a) > by(b) ? -1 : 0))
