import type { EvaluationState } from '../../../evaluation/ports/evaluation-state.ts'
import { chatLogIn } from './chat-log.ts'
import { chatQueriesIn } from './chat-queries.ts'
import { chatsIn } from './chats.ts'
import { openStateDatabase, type StateOptions } from './database.ts'
import { feedbackIn } from './feedback.ts'
import { modelCallsIn } from './model-calls.ts'
import { storiesIn } from './stories.ts'
import { storyCommentsIn } from './story-comments.ts'
import { openTables } from './tables.ts'
import { testRunsIn } from './test-runs.ts'
import { userMemoriesIn } from './user-memories.ts'

/** Chats, stories, memories, feedback and test runs in `state.db`. */
export async function openSqliteAnalystState(path: string, options: StateOptions = {}): Promise<EvaluationState> {
  const tables = openTables(
    openStateDatabase(path, () => {}, options),
    path,
  )
  return {
    chats: chatsIn(tables),
    log: chatLogIn(tables),
    queries: chatQueriesIn(tables),
    calls: modelCallsIn(tables),
    stories: storiesIn(tables),
    comments: storyCommentsIn(tables),
    memories: userMemoriesIn(tables),
    feedback: feedbackIn(tables),
    runs: testRunsIn(tables),
    close: () => tables.close(),
  }
}
