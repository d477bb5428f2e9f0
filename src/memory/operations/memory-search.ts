import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { defineOperation, forPeople } from '../../operations/operation.ts'
import { searchFrom, searchInput, searchOutput } from './memory-answer.ts'
import { renderResults } from './render-results.ts'

/** Offered only by the main search operation. */
const FILTERS = ['workspace', 'collection', 'origin', 'tags', 'since', 'until', 'min_score']

const shared = {
  effect: 'read',
  words: 'memory',
  needs: ['memory', 'record'],
  onServer: {},
  positional: ['query'],
  input: searchInput,
  output: searchOutput,
  render: renderResults,
} as const

export const memorySearch = defineOperation({
  ...shared,
  unlisted: FILTERS,
  name: 'memory_search',
  title: 'Search by words',
  summary: `Search past sessions, notes, decisions, documents, code for exact words: error message, name, identifier. For a question: ${operationNamed('memory_query')}.`,
  searchHint: 'look for string',
  forPeople: 'Search decisions, notes, sessions, documents and code by words.',
  examples: [
    { title: 'An identifier', input: { query: 'retry_backoff' } },
    { title: 'Only sessions, everywhere', input: { query: 'flaky test', origin: ['session'], workspace: 'all' } },
  ],
  run: (ctx, input) => searchFrom(ctx, input, 'words'),
})

export const memoryVsearch = defineOperation({
  ...shared,
  unlisted: FILTERS,
  name: 'memory_vsearch',
  title: 'Search by meaning',
  summary: `Search the memory (sessions, notes, decisions, code) by meaning alone, in any words. For when ${operationNamed('memory_query')} found nothing.`,
  forPeople: 'Search by meaning, when you do not know the words.',
  searchHint: 'similar, related',
  examples: [{ title: 'An idea', input: { query: 'how do we keep passwords safe' } }],
  run: (ctx, input) => searchFrom(ctx, input, 'meaning'),
})

export const memoryQuery = defineOperation({
  ...shared,
  name: 'memory_query',
  title: 'Search by words and meaning',
  summary: `Search everything remembered: past sessions and conversations with any coding agent, notes, user preferences, decisions and why, documents, code. First choice for what was said, tried, fixed, run or learned before. returns ids and snippets; read on with ${operationNamed('memory_get')}.`,
  forPeople: 'Search by words and meaning; best for questions.',
  searchHint: 'recall, remember, talked about, earlier, last time',
  alwaysLoaded: true,
  unlisted: ['collection', 'tags', 'until', 'min_score'],
  input: {
    ...searchInput,
    mode: z.enum(['both', 'words', 'meaning']).default('both').meta(forPeople('By words, by meaning or by both.')),
  },
  examples: [
    { title: 'A question', input: { query: 'why did we move off the old queue', limit: 5 } },
    { title: 'An error message', input: { query: 'ECONNRESET', mode: 'words' } },
  ],
  run: (ctx, input) => searchFrom(ctx, input, input.mode),
})
