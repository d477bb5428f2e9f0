import { expect, test } from 'vitest'
import { labelForPeople, type AnswerTrust } from './trust.ts'

test.each<[AnswerTrust, string | undefined]>([
  ['approved', undefined],
  ['compiled', undefined],
  ['as marked', undefined],
  ['learned', 'unreviewed text'],
  ['untrusted', 'unreviewed text'],
  ['partly proposed by an agent', 'partly proposed by an agent, pending review'],
  ['from the clone', 'from the clone, untrusted until `ken trust`'],
])('labels %s text for people by what they need to know', (trust, label) => {
  expect(labelForPeople({ origin: 'memory', trust })).toBe(label)
})
