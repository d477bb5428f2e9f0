import { expect, test } from 'vitest'
import { outcomeSentence } from './outcome-sentence.ts'

test.each([
  ['We need a server. We use Express instead of Fastify.', 'We use Express instead of Fastify.'],
  ['## Context\n\nJobs are lost.\n\n## Decision\n\nWe will keep jobs in a table.', 'We will keep jobs in a table.'],
  ['Jobs survive a restart of the queue.', 'Jobs survive a restart of the queue.'],
  ['', 'Jobs in a table'],
])('the outcome of %j is %j', (rationale, expected) => {
  expect(outcomeSentence({ title: 'Jobs in a table', rationale })).toBe(expected)
})
