import { expect, test } from 'vitest'
import { parseDecision } from './parse.ts'

const HEAD = '---\ndate: 2026-03-01\nversion: 1\nstatus: active\nconfidence: high\n---\n\n'
const parse = (body: string) => {
  const { rationale, rejected } = parseDecision(`${HEAD}# 001 — A title\n\n${body}`, '001-a-title.md')
  return { rationale, rejected }
}

test('accepts a body with nothing but the decision', () => {
  expect(parse('## Decision\n\nBecause.\n')).toEqual({ rationale: 'Because.', rejected: [] })
})

test('rejects a text without a Decision section, or with one only inside a code fence', () => {
  expect(() => parse('Because.\n')).toThrow('there is no "## Decision" section')
  expect(() => parse('```\n## Decision\n```\n')).toThrow('there is no "## Decision" section')
})

test('reads rejected alternatives after their last heading', () => {
  const body =
    '## Decision\n\nWhy.\n\n## Rejected Alternatives\n\nquoted\n\n## Rejected Alternatives\n\n### Redis\n\nToo much.\n'
  expect(parse(body)).toEqual({
    rationale: 'Why.\n\n## Rejected Alternatives\n\nquoted',
    rejected: [{ name: 'Redis', reason: 'Too much.' }],
  })
})

test('reports a misspelt key, and ignores a foreign key that only resembles a known key', () => {
  const read = (from: string, to: string) =>
    parseDecision(`${HEAD.replace(from, to)}# 001 — T\n\n## Decision\n\nx\n`, '001-t.md').title
  for (const slip of ['statue', 'Status', 'statu', 'staatus'])
    expect(() => read('status:', `${slip}:`)).toThrow(`unknown frontmatter key "${slip}"; did you mean status?`)
  expect(() => read('version: 1', 'superceded-by: 2')).toThrow('did you mean superseded_by?')
  expect(read('status: active', 'status: active\nstats: 3\nbase_commit: abc\nteam: core')).toBe('T')
})

test('ignores a complete nauro approval, and rejects an incomplete one', () => {
  const WHO = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const whole = `proposed_by: ${WHO}\napproved_by: ${WHO}\nproposal_id: ${WHO}\napproved_at: '2026-05-01T10:00:00.000000Z'\n`
  const read = (more: string) =>
    parseDecision(`${HEAD.replace('---\n\n', `${more}---\n\n`)}# 001 — T\n\n## Decision\n\nx\n`, '001-t.md')
  expect(read(`${whole}proposed_base_commit: ${'a1'.repeat(20)}\nanything: else\n`).title).toBe('T')
  expect(() => read(`proposed_by: ${WHO}\n`)).toThrow(
    'proposed_by stands without approved_by, approved_at, proposal_id',
  )
  expect(() => read(whole.replace('.000000Z', 'Z'))).toThrow('approved_at is not of the form')
  expect(() => read(`${whole}proposed_base_commit: ABC\n`)).toThrow(expect.objectContaining({ kind: 'field' }))
})
