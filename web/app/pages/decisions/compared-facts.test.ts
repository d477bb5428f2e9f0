import { expect, test } from 'vitest'
import { comparedFacts } from './compared-facts.ts'
import type { OpenDecision } from './use-decision.ts'

const decision = (more: object, parts: object = {}) =>
  ({
    number: 1,
    title: 'T',
    status: 'active',
    trust: 'approved',
    content: '',
    parts: {
      date: '2026-05-12',
      confidence: 'high',
      type: null,
      reversibility: null,
      files: [],
      rejected: [],
      ...parts,
    },
    ...more,
  }) as unknown as OpenDecision

test('differences are marked, and facts missing from both are hidden', () => {
  const facts = comparedFacts(
    decision({}, { files: ['b', 'a'] }),
    decision({ status: 'superseded' }, { files: ['a', 'b'] }),
  )
  expect(facts.map(({ name, differs }) => [name, differs])).toEqual([
    ['Status', true],
    ['Decided', false],
    ['Trust', false],
    ['Confidence', false],
    ['Governs', false],
  ])
  expect(facts[1]!.values).toEqual(['12 May 2026', '12 May 2026'])
})
