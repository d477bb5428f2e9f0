import { expect, test } from 'vitest'
import { inferredFrom, inferredReason, isInferred, rejectedPhrase, reviewedReason } from './inferred.ts'

const reason = inferredReason('We use "Express" instead of Fastify.', 'The team knows it.')

test('an inferred reason opens with the mark and the sentence', () => {
  expect(reason).toBe(
    '*Inferred by the import, not reviewed:* "We use \'Express\' instead of Fastify."\n\nThe team knows it.',
  )
  expect(inferredFrom({ reason })).toBe("We use 'Express' instead of Fastify.")
})

test('also finds the mark after a bullet', () => {
  expect(isInferred({ reason: `* Bad, because ${reason}` })).toBe(true)
})

test('a reviewed reason keeps the argument, or the sentence if there is none', () => {
  expect(reviewedReason({ reason })).toBe('The team knows it.')
  expect(reviewedReason({ reason: inferredReason('We use Express instead of Fastify.', '') })).toBe(
    'We use Express instead of Fastify.',
  )
  expect(reviewedReason({ reason: 'Slow.' })).toBe('Slow.')
  expect(reviewedReason({ reason: null })).toBeNull()
})

test('states how certain the rejection is', () => {
  expect(rejectedPhrase({ name: 'Fastify', reason })).toBe(
    'seems to have rejected Fastify (inferred by the import, not reviewed)',
  )
  expect(rejectedPhrase({ name: 'Fastify', reason: null })).toBe('rejected Fastify')
})
