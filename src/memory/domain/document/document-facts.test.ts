import { expect, test } from 'vitest'
import { stateFacts } from './document-facts.ts'

const facts = (frontmatter: string, body = '# Heading\n') =>
  stateFacts(`---\n${frontmatter}\n---\n${body}`, { isProse: true })

test.each([
  ['superseded_by: notes/new.md', { as: 'superseded', by: 'notes/new.md' }],
  ['superseded-by: D12', { as: 'superseded', by: 'D12' }],
  ['superseded_by: null', undefined],
  ['superseded_by: None', undefined],
  ['superseded_by: ~', undefined],
  ['superseded_by: false', undefined],
  ['superseded_by: null\nstatus: Deprecated', { as: 'deprecated' }],
  ['status: "superseded by ADR-0057"', { as: 'superseded', by: 'ADR-0057' }],
  ['status: rejected', { as: 'rejected' }],
  ['freshness: stale', { as: 'stale' }],
  ['status: current\nfreshness: stale', { as: 'stale' }],
  ['status: accepted', undefined],
  ['status: replaceable', undefined],
])('frontmatter %j has the status %j', (frontmatter, expected) => {
  expect(facts(frontmatter).superseded).toEqual(expected && { by: undefined, ...expected })
})

test.each([
  ['## Status\n\nSuperseded by [ADR 14](0014-b.md)\n\n## Context\n', { as: 'superseded', by: '0014-b.md' }],
  ['## Status\n\n**Superseded by [[ADR/010 Rust]].**\n', { as: 'superseded', by: 'ADR/010 Rust' }],
  ['## Status\n\nDeprecated (Replaced by ADR #0012)\n', { as: 'superseded', by: 'ADR #0012' }],
  ['# A title\n\n* Status: superseded by [ADR-0003](0003-c.md)\n', { as: 'superseded', by: '0003-c.md' }],
  ['# A title\n\n- **Status:** Rejected\n', { as: 'rejected' }],
  ['## Status\n\nWithdrawn\n', { as: 'withdrawn' }],
  ['## Status\n\nImplemented. Parts of this ADR were superseded by [ADR-020](020.md).\n', undefined],
  ['## Status\n\n> Accepted or Rejected\n\nAccepted\n', undefined],
  ['## Status\n\n{Deprecated|Proposed|Accepted}\n', undefined],
  ['## Status\n\nAccepted\n\n## Consequences\n\nThe old one is deprecated.\n', undefined],
  ['The status of the build is rejected by nobody.\n', undefined],
])('text %j has the status %j', (text, expected) => {
  expect(stateFacts(text, { isProse: true }).superseded).toEqual(expected && { by: undefined, ...expected })
})

test('a status quoted in a conversation is ignored', () => {
  expect(stateFacts('## Status\n\nRejected\n', { isProse: false }).superseded).toBeUndefined()
})

test('a title may be folded over several lines', () => {
  expect(facts('title: |\n  Observability\n  of workers\ntags: [a]')).toMatchObject({
    title: 'Observability of workers',
    tags: ['a'],
  })
  expect(facts('title: >-\n  Observability\nstatus: accepted').title).toBe('Observability')
  expect(facts('title: >-\ntags: [a]').title).toBe('Heading')
})

test('uses the date of the last change and ignores words that are not dates', () => {
  const january = Date.parse('2026-01-02')
  expect(facts('created: 2025-05-05\nupdated: 2026-01-02').modified).toBe(january)
  expect(facts('updated: lately\ndate: 2026-01-02').modified).toBe(january)
  expect(facts('updated: lately').modified).toBeUndefined()
})

test('uses the stated title, or otherwise the first heading', () => {
  expect(facts('title: Pears').title).toBe('Pears')
  expect(facts('tags: [a, b]')).toMatchObject({ title: 'Heading', tags: ['a', 'b'] })
  expect(stateFacts('No heading.\n', { isProse: true })).toEqual({
    title: undefined,
    tags: [],
    modified: undefined,
    superseded: undefined,
  })
})

test('handles endless untrusted text in linear time', () => {
  const endless = 1_000_000
  expect(stateFacts(`# status${' '.repeat(endless)}x`, { isProse: true }).superseded).toBeUndefined()
  expect(stateFacts(`---\ntitle: |\n${'  word\n'.repeat(endless)}---\n`, { isProse: true }).title).toMatch(/^word word/)
})
