import { expect, test } from 'vitest'
import { stateFacts } from './document-facts.ts'

const facts = (frontmatter: string, body = '# Heading\n') => stateFacts(`---\n${frontmatter}\n---\n${body}`)

test.each([
  ['superseded_by: notes/new.md', 'notes/new.md'],
  ['superseded-by: D12', 'D12'],
  ['superseded_by: null', undefined],
  ['superseded_by: None', undefined],
  ['superseded_by: ~', undefined],
  ['superseded_by: false', undefined],
  ['superseded_by: null\nstatus: Deprecated', 'deprecated'],
  ['status: superseded by D3', 'superseded by d3'],
  ['freshness: stale', 'stale'],
  ['status: current\nfreshness: stale', 'stale'],
  ['status: accepted', undefined],
  ['status: replaceable', undefined],
])('%j says that a document is superseded by %j', (frontmatter, expected) => {
  expect(facts(frontmatter).supersededBy).toBe(expected)
})

test('the time is that of the last change that is named, and a word is none', () => {
  const january = Date.parse('2026-01-02')
  expect(facts('created: 2025-05-05\nupdated: 2026-01-02').modified).toBe(january)
  expect(facts('updated: lately\ndate: 2026-01-02').modified).toBe(january)
  expect(facts('updated: lately').modified).toBeUndefined()
})

test('a title is the one that is stated, or else the first heading', () => {
  expect(facts('title: Pears').title).toBe('Pears')
  expect(facts('tags: [a, b]')).toMatchObject({ title: 'Heading', tags: ['a', 'b'] })
  expect(stateFacts('No heading.\n')).toEqual({
    title: undefined,
    tags: [],
    modified: undefined,
    supersededBy: undefined,
  })
})
