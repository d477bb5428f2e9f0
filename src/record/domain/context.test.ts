import { expect, test } from 'vitest'
import { buildContext, contextTrust, type ContextInput } from './context.ts'
import type { CatalogueEntry } from './decision/catalogue.ts'

const decision = (num: number, more: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  stem: `${String(num).padStart(3, '0')}-choice`,
  num,
  title: `Choice ${num}`,
  date: '2026-01-02',
  status: 'active',
  confidence: 'high',
  decision_type: null,
  files_affected: [],
  supersedes: null,
  superseded_by: null,
  trust: 'approved',
  ...more,
})

const input = (more: Partial<ContextInput> = {}): ContextInput => ({
  project: '# Orchard\n\nSells apples.\n',
  state: '# Current State\n\nPicking.\n\n*Last updated: 2026-01-02T03:04Z*\n',
  history: '',
  stack: '# Stack\n\n- **Rust** — fast\n- **SQLite** — small\n',
  questions: '# Open Questions\n\n- [Q2] Which\n  pears?\n- [Q1] Why?\n',
  decisions: [decision(1), decision(2, { trust: 'proposed by an agent' }), decision(3, { status: 'superseded' })],
  unreadable: 0,
  text: async (stem) => `text of ${stem}\n`,
  ...more,
})

test('L0 is the outline: active decisions by title, newest first, and every open question in one line', async () => {
  expect(await buildContext('L0', input())).toBe(
    [
      'Sells apples.',
      '## Current State\n\nPicking.',
      '**Stack:** Rust, SQLite',
      '## Open Questions\n\n- [Q2] Which pears?\n- [Q1] Why?',
      '## Recent Decisions\n\n- D2 — Choice 2 (2026-01-02) [proposed by an agent]\n- D1 — Choice 1 (2026-01-02)',
    ].join('\n\n'),
  )
})

test('L1 has the text of the ten newest decisions, the titles of ten more, and no superseded one', async () => {
  const decisions = [...Array.from({ length: 21 }, (_, i) => decision(i + 1)), decision(22, { status: 'superseded' })]
  const text = await buildContext('L1', input({ decisions }))
  expect(text.match(/text of \d+/g)).toEqual(Array.from({ length: 10 }, (_, i) => `text of 0${21 - i}`))
  expect(text.match(/- D\d+ /g)).toEqual(Array.from({ length: 10 }, (_, i) => `- D${11 - i} `))
})

test('L2 has the text of every decision, including superseded ones', async () => {
  const text = await buildContext('L2', input({ history: '## 2026-01-01T00:00Z\n\nPlanting.\n' }))
  expect(text).toContain('# State History\n\n## 2026-01-01T00:00Z\n\nPlanting.')
  expect(text.match(/text of \d+/g)?.toSorted()).toEqual(['text of 001', 'text of 002', 'text of 003'])
})

test('counts more questions than a level shows, and truncates a long one at 480 characters', async () => {
  const questions = `# Open Questions\n\n${[5, 4, 3, 2, 1].map((n) => `- [Q${n}] ${'x'.repeat(477 + n)}\n`).join('')}`
  const text = await buildContext('L0', input({ questions }))
  expect(text).toContain(`- [Q5] ${'x'.repeat(479)}…\n`)
  expect(text).toContain(`- [Q3] ${'x'.repeat(480)}\n(+2 more questions in open-questions.md)`)
})

test('an empty record shows what to do, and has no heading without text', async () => {
  const nothing = { project: '', state: '', stack: '', questions: '', decisions: [] }
  expect(await buildContext('L0', input(nothing))).toMatch(/^No decisions are recorded yet\. [^#]*$/)
})

test('an answer is as trusted as the decisions that its level may show', () => {
  const decisions = [decision(1), decision(2, { status: 'superseded', trust: 'proposed by an agent' })]
  expect(contextTrust('L1', decisions)).toBe('approved')
  expect(contextTrust('L2', decisions)).toBe('partly proposed by an agent')
})
