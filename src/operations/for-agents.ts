import { checkDecision } from './check-decision.ts'
import { diffSinceLastSession } from './diff-since-last-session.ts'
import { flagQuestion } from './flag-question.ts'
import { getContext } from './get-context.ts'
import { getDecision } from './get-decision.ts'
import { getRawFile } from './get-raw-file.ts'
import { listDecisions } from './list-decisions.ts'
import { memoryGet, memoryMultiGet } from './memory-get.ts'
import { memoryIndexCodebase } from './memory-index-codebase.ts'
import { memoryQuery, memorySearch, memoryVsearch } from './memory-search.ts'
import { memoryStatus } from './memory-status.ts'
import { memoryUpdate } from './memory-update.ts'
import { memoryWrite } from './memory-write.ts'
import type { Operation } from './operation.ts'
import { proposeDecision } from './propose-decision.ts'
import { searchDecisions } from './search-decisions.ts'
import { updateState } from './update-state.ts'

/**
 * The tools of a server with the usual toolsets, record and memory. An agent waits for the server to start, and this is half
 * of what the whole registry loads; test/often.test.ts holds it equal to the registry.
 */
export const FOR_AGENTS = [
  getContext, getRawFile, listDecisions, getDecision, diffSinceLastSession, searchDecisions, checkDecision, proposeDecision, flagQuestion, updateState,
  memorySearch, memoryVsearch, memoryQuery, memoryGet, memoryMultiGet, memoryWrite, memoryStatus, memoryUpdate, memoryIndexCodebase,
] as unknown as readonly Operation[]
