import { defineOperation } from '../operation.ts'
import { renderResults, searchFrom, searchInput, searchOutput } from './memory-answer.ts'

const shared = {
  effect: 'read',
  words: 'memory',
  positional: ['query'],
  input: searchInput,
  output: searchOutput,
  render: renderResults,
} as const

export const memorySearch = defineOperation({
  ...shared,
  name: 'memory_search',
  title: 'Search by words',
  summary: 'Search decisions, questions, notes, sessions, documents and code by words: names, errors, exact terms.',
  forPeople: 'Search decisions, notes, sessions, documents and code by words.',
  examples: [
    { title: 'An identifier', input: { query: 'retry_backoff' } },
    { title: 'Only sessions, everywhere', input: { query: 'flaky test', origin: ['session'], workspace: 'all' } },
  ],
  run: (ctx, input) => searchFrom(ctx, input, 'words'),
})

export const memoryVsearch = defineOperation({
  ...shared,
  name: 'memory_vsearch',
  title: 'Search by meaning',
  summary: 'Search the same by meaning, when you do not know the words.',
  examples: [{ title: 'An idea', input: { query: 'how do we keep passwords safe' } }],
  run: (ctx, input) => searchFrom(ctx, input, 'meaning'),
})

export const memoryQuery = defineOperation({
  ...shared,
  name: 'memory_query',
  title: 'Search by words and meaning',
  summary: 'Search by words and meaning together; the best first choice for a question.',
  examples: [{ title: 'A question', input: { query: 'why did we move off the old queue', limit: 5 } }],
  run: (ctx, input) => searchFrom(ctx, input, 'both'),
})
