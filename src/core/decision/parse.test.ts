import { expect, test } from 'vitest'
import { parseDecision } from './parse.ts'

const HEAD = '---\ndate: 2026-03-01\nversion: 1\nstatus: active\nconfidence: high\n---\n\n'
const parse = (body: string) => {
  const { rationale, rejected } = parseDecision(`${HEAD}# 001 — A title\n\n${body}`, '001-a-title.md')
  return { rationale, rejected }
}

test('a body is its decision and nothing else', () => {
  expect(parse('## Decision\n\nBecause.\n')).toEqual({ rationale: 'Because.', rejected: [] })
})

test('without a decision there is nothing to read, also where it is only quoted', () => {
  expect(() => parse('Because.\n')).toThrow('there is no "## Decision" section')
  expect(() => parse('```\n## Decision\n```\n')).toThrow('there is no "## Decision" section')
})

test('rejected alternatives are those after the last heading of theirs', () => {
  const body =
    '## Decision\n\nWhy.\n\n## Rejected Alternatives\n\nquoted\n\n## Rejected Alternatives\n\n### Redis\n\nToo much.\n'
  expect(parse(body)).toEqual({
    rationale: 'Why.\n\n## Rejected Alternatives\n\nquoted',
    rejected: [{ name: 'Redis', reason: 'Too much.' }],
  })
})
