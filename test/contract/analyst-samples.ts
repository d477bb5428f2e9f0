import { type Chat, type ChatMessage, type MessageEnd } from '../../src/analyst/domain/chat/chat.ts'
import type { Draft, Feedback } from '../../src/analyst/domain/feedback/feedback.ts'
import type { StoryComment } from '../../src/analyst/domain/story/comment.ts'
import type { Story, StoryVersion } from '../../src/analyst/domain/story/story.ts'
import type { MemoryRow } from '../../src/analyst/domain/user-memory/memory-row.ts'
import type { ChatQueryResult } from '../../src/analyst/ports/chat-queries.ts'
import type { ModelCall } from '../../src/analyst/ports/model-calls.ts'
import type { TestAttempt, TestRun } from '../../src/evaluation/domain/test-run.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { NO_USAGE } from '../../src/kernel/domain/model-usage.ts'

export interface AnalystStateSubject {
  /** Opens an empty state each time; may be limited to `ada` in the project `shop`. */
  open(): Promise<EvaluationState>
  /** Opens an empty state for everyone, if `open` is limited. */
  openForAll?(): Promise<EvaluationState>
}

/** A state for tests with several people or projects. */
export const ofEverybody = async (subject: AnalystStateSubject, state: EvaluationState): Promise<EvaluationState> => {
  if (subject.openForAll === undefined) return state
  await state.close()
  return subject.openForAll()
}

/** A time on a fixed day. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 4, 1, 9, minute)).toISOString()

// Text that may break a query language, a terminal or a database.
export const ODD = `"'; DROP TABLE chat;-- $1 ? %_\\ \u{1f600}\n\t\r${'z'.repeat(1000)}`

export const chat = (id: string, more: Partial<Chat> = {}): Chat => ({
  id,
  user: 'ada',
  project: 'shop',
  folder: '/shop',
  title: `Chat ${id}`,
  starred: false,
  createdAt: at(0),
  updatedAt: at(0),
  ...more,
})

export const message = (id: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  chat: 'c1',
  role: 'assistant',
  at: at(1),
  superseded: false,
  ...more,
})

export const ended: MessageEnd = {
  reason: 'answered',
  usage: { ...NO_USAGE, input: 10, output: 2, cost: 0.25 },
  milliseconds: 1200,
  steps: 2,
}

export const query = (id: string, more: Partial<ChatQueryResult> = {}): ChatQueryResult => ({
  chat: 'c1',
  id,
  message: 'm1',
  database: 'shop',
  sql: 'SELECT 1',
  columns: [{ name: 'n', type: 'INTEGER' }],
  rows: [[1], [2]],
  rowCount: 2,
  cut: false,
  at: at(2),
  ...more,
})

export const call = (id: string, more: Partial<ModelCall> = {}): ModelCall => ({
  id,
  user: 'ada',
  project: 'shop',
  purpose: 'answer',
  model: 'openai:small',
  usage: { input: 100, output: 20, cached: 5, reasoning: 3, cost: 0.01 },
  milliseconds: 12.5,
  failed: false,
  at: at(3),
  ...more,
})

export const story = (id: string, more: Partial<Story> = {}): Story => ({
  id,
  user: 'ada',
  project: 'shop',
  folder: '/shop',
  slug: `story-${id}`,
  title: `Story ${id}`,
  createdAt: at(0),
  updatedAt: at(0),
  ...more,
})

export const version = (of: string, number = 1, text = '# Sales'): StoryVersion => ({
  story: of,
  version: number,
  at: at(number),
  by: 'analyst',
  text,
})

export const comment = (id: string, more: Partial<StoryComment> = {}): StoryComment => ({
  id,
  story: 's1',
  thread: id,
  begunAt: at(1),
  user: 'ada',
  at: at(1),
  kind: 'written',
  byAgent: false,
  text: `Comment ${id}`,
  ...more,
})

export const memory = (id: string, more: Partial<MemoryRow> = {}): MemoryRow => ({
  id,
  user: 'ada',
  category: 'global_rule',
  content: `Rule ${id}`,
  evidence: { words: 'always do it' },
  createdAt: at(0),
  updatedAt: at(0),
  ...more,
})

export const vote = (of: string, more: Partial<Feedback> = {}): Feedback => ({
  message: of,
  chat: 'c1',
  user: 'ada',
  vote: 'down',
  reason: 'wrong year',
  at: at(5),
  ...more,
})

export const draft = (id: string, more: Partial<Draft> = {}): Draft => ({
  id,
  user: 'ada',
  project: 'shop',
  folder: '/shop',
  kind: 'rule',
  title: `Draft ${id}`,
  body: 'Revenue is net.',
  from: { message: 'm1', chat: 'c1' },
  siblings: [],
  at: at(5),
  ...more,
})

export const run = (id: string, more: Partial<TestRun> = {}): TestRun => ({
  id,
  user: 'ada',
  project: 'shop',
  folder: '/shop/tests',
  startedAt: at(0),
  models: ['openai:small'],
  runs: 1,
  suite: 'a1b2',
  planned: 1,
  version: '1.0.0',
  broken: [],
  ...more,
})

export const attempt = (of: string, more: Partial<TestAttempt> = {}): TestAttempt => ({
  run: 'r1',
  case: of,
  hash: 'h1',
  name: of,
  file: 'finance.yaml',
  kind: 'sql',
  tags: [],
  need: 'all',
  model: 'openai:small',
  attempt: 1,
  outcome: 'passed',
  checks: [{ expects: 'the expected table', passed: true }],
  prompt: 'What was the revenue of March?',
  answer: '12,400',
  calls: [],
  usage: { input: 100, output: 20, cached: 0, reasoning: 0, cost: 0.01 },
  milliseconds: 1200,
  at: at(1),
  ...more,
})
