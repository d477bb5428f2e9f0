import type { Operation } from './operation.ts'

const checkDecision = async () => as((await import('./check-decision.ts')).checkDecision)
const getContext = async () => as((await import('./get-context.ts')).getContext)
const proposeDecision = async () => as((await import('./propose-decision.ts')).proposeDecision)
const memorySearch = async () => as((await import('./memory-search.ts')).memorySearch)
const memoryQuery = async () => as((await import('./memory-search.ts')).memoryQuery)
const memoryVsearch = async () => as((await import('./memory-search.ts')).memoryVsearch)
const memoryGet = async () => as((await import('./memory-get.ts')).memoryGet)
const memoryWrite = async () => as((await import('./memory-write.ts')).memoryWrite)
const memoryUpdate = async () => as((await import('./memory-update.ts')).memoryUpdate)

/**
 * Commands that people and agents run all day. They load alone: the whole registry costs a third of the time of a call.
 * Each is the registry's own operation; test/often.test.ts compares them.
 */
export const OFTEN: Readonly<Record<string, () => Promise<Operation>>> = {
  check: checkDecision,
  'check-decision': checkDecision,
  context: getContext,
  'get-context': getContext,
  'get-decision': async () => as((await import('./get-decision.ts')).getDecision),
  propose: proposeDecision,
  'propose-decision': proposeDecision,
  search: memorySearch,
  'memory-search': memorySearch,
  query: memoryQuery,
  'memory-query': memoryQuery,
  vsearch: memoryVsearch,
  'memory-vsearch': memoryVsearch,
  get: memoryGet,
  'memory-get': memoryGet,
  write: memoryWrite,
  'memory-write': memoryWrite,
  update: memoryUpdate,
  'memory-update': memoryUpdate,
}

// An operation of one shape is used as one of any shape; `call` is what keeps input and operation together.
function as(operation: unknown): Operation {
  return operation as Operation
}
