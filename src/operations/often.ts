import type { Operation } from './operation.ts'

/**
 * Commands that people and agents run all day. They load alone: the whole registry costs a third of the time of a call.
 * Each is the registry's own operation; test/often.test.ts compares them.
 */
export const OFTEN: Readonly<Record<string, () => Promise<Operation>>> = {
  check: () => checkDecision(),
  'check-decision': () => checkDecision(),
  context: () => getContext(),
  'get-context': () => getContext(),
  'get-decision': async () => as((await import('./get-decision.ts')).getDecision),
  propose: () => proposeDecision(),
  'propose-decision': () => proposeDecision(),
  search: () => memorySearch(),
  'memory-search': () => memorySearch(),
}

const checkDecision = async () => as((await import('./check-decision.ts')).checkDecision)
const getContext = async () => as((await import('./get-context.ts')).getContext)
const proposeDecision = async () => as((await import('./propose-decision.ts')).proposeDecision)
const memorySearch = async () => as((await import('./memory-search.ts')).memorySearch)

// An operation of one shape is used as one of any shape; `call` is what keeps input and operation together.
const as = (operation: unknown): Operation => operation as Operation
