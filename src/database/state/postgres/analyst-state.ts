import type { EvaluationState } from '../../../evaluation/ports/evaluation-state.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { chatLogIn } from './chat-log.ts'
import { chatQueriesIn } from './chat-queries.ts'
import { chatsIn } from './chats.ts'
import { feedbackIn } from './feedback.ts'
import { modelCallsIn } from './model-calls.ts'
import { openRows, type Whose } from './scoped-rows.ts'
import { sharesIn } from './shares.ts'
import { storiesIn } from './stories.ts'
import { storyCommentsIn } from './story-comments.ts'
import { testRunsIn } from './test-runs.ts'
import { userMemoriesIn } from './user-memories.ts'

/**
 * Chats, stories, memories, feedback and test runs in a database that many processes share. Costs nothing to open: one
 * per request and caller. The database is closed by its opener.
 */
export function openPostgresAnalystState(database: SqlDatabase, whose: Whose): EvaluationState {
  const rows = openRows(database, whose)
  return {
    chats: chatsIn(rows),
    log: chatLogIn(rows),
    queries: chatQueriesIn(rows),
    calls: modelCallsIn(rows),
    stories: storiesIn(rows),
    comments: storyCommentsIn(rows),
    memories: userMemoriesIn(rows),
    feedback: feedbackIn(rows),
    runs: testRunsIn(rows),
    shares: sharesIn(rows),
    async close() {},
  }
}
