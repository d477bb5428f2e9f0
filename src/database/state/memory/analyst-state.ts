import type { EvaluationState } from '../../../evaluation/ports/evaluation-state.ts'
import { chatLogOn } from './chat-log.ts'
import { chatQueriesOn } from './chat-queries.ts'
import { chatsOn } from './chats.ts'
import { feedbackOn } from './feedback.ts'
import { modelCallsOn } from './model-calls.ts'
import { emptyTables } from './state-tables.ts'
import { storiesOn } from './stories.ts'
import { testRunsOn } from './test-runs.ts'
import { userMemoriesOn } from './user-memories.ts'

/** Chats, stories, memories, feedback and test runs, kept in memory until the process ends. */
export function openMemoryAnalystState(): EvaluationState {
  const shelf = emptyTables()
  return {
    chats: chatsOn(shelf),
    log: chatLogOn(shelf),
    queries: chatQueriesOn(shelf),
    calls: modelCallsOn(shelf),
    stories: storiesOn(shelf),
    memories: userMemoriesOn(shelf),
    feedback: feedbackOn(shelf),
    runs: testRunsOn(shelf),
    async close() {},
  }
}
