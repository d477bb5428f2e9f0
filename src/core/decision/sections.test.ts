import { expect, test } from 'vitest'
import { splitSections } from './sections.ts'

test('a body may begin with its decision', () => {
  expect(splitSections('## Decision\n\nBecause.\n')).toEqual({ rationale: 'Because.', rejected: [] })
})

test('without a decision there is nothing to split, also where it is only quoted', () => {
  expect(splitSections('# 001 — T\n\nBecause.\n')).toBeUndefined()
  expect(splitSections('```\n## Decision\n```\n')).toBeUndefined()
})

test('rejected alternatives are those after the last heading of theirs', () => {
  const body =
    '## Decision\n\nWhy.\n\n## Rejected Alternatives\n\nquoted\n\n## Rejected Alternatives\n\n### Redis\n\nToo much.\n'
  expect(splitSections(body)).toEqual({
    rationale: 'Why.\n\n## Rejected Alternatives\n\nquoted',
    rejected: [{ name: 'Redis', reason: 'Too much.' }],
  })
})
