import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemoryAnalystState } from '../src/adapters/state/memory/analyst-state.ts'
import { openSqliteAnalystState } from '../src/adapters/state/sqlite/analyst-state.ts'
import { describeChatLog } from './contract/chat-log.contract.ts'
import { describeChatQueries } from './contract/chat-queries.contract.ts'
import { describeChats } from './contract/chats.contract.ts'
import { describeFeedback } from './contract/feedback.contract.ts'
import { describeModelCalls } from './contract/model-calls.contract.ts'
import { describeStories } from './contract/stories.contract.ts'
import { describeTestRuns } from './contract/test-runs.contract.ts'
import { describeUserMemories } from './contract/user-memories.contract.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-analyst-state-'))
let files = 0
const freshPath = () => join(base, `state-${++files}.db`)
afterAll(() => rmSync(base, { recursive: true, force: true }))

for (const [name, open] of [
  ['memory', async () => openMemoryAnalystState()],
  ['sqlite', () => openSqliteAnalystState(freshPath())],
] as const)
  for (const describePort of [
    describeChats,
    describeChatLog,
    describeChatQueries,
    describeModelCalls,
    describeStories,
    describeUserMemories,
    describeFeedback,
    describeTestRuns,
  ])
    describePort(name, { open })
