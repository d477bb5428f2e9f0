import type { AnalystStateSubject } from './analyst-samples.ts'
import { describeChatLog } from './chat-log.contract.ts'
import { describeChatQueries } from './chat-queries.contract.ts'
import { describeChats } from './chats.contract.ts'
import { describeFeedback } from './feedback.contract.ts'
import { describeModelCalls } from './model-calls.contract.ts'
import { describeStories } from './stories.contract.ts'
import { describeStoryComments } from './story-comments.contract.ts'
import { describeTestRuns } from './test-runs.contract.ts'
import { describeUserMemories } from './user-memories.contract.ts'

/** Tests every part of src/analyst/ports/analyst-state.ts. */
export function describeAnalystState(name: string, subject: AnalystStateSubject): void {
  for (const describePart of [
    describeChats,
    describeChatLog,
    describeChatQueries,
    describeModelCalls,
    describeStories,
    describeStoryComments,
    describeUserMemories,
    describeFeedback,
    describeTestRuns,
  ])
    describePart(name, subject)
}
