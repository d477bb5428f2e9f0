import { expect, test } from 'vitest'
import type { Origin } from '../../../kernel/domain/origin.ts'
import { followProposals } from './decision-trust.ts'
import type { JournalEvent } from './event.ts'

let made = 0
const event = (
  surface: Origin['surface'],
  operation: string,
  facts: Record<string, unknown>,
  files: Record<string, string | null> = {},
): JournalEvent => ({
  event_version: 1,
  id: String(++made),
  at: '2026-01-01',
  operation,
  origin: { surface },
  facts,
  files,
})
const proposed = (...events: JournalEvent[]): string[] => [...followProposals(new Set(), events)]
const agents = (stem: string, more: Record<string, unknown> = {}) =>
  event('mcp-stdio', 'propose_decision', { decision: stem, ...more }, { [`decisions/${stem}.md`]: 'h', 'x.json': 'h' })

test.each(['mcp-stdio', 'mcp-http', 'http'] as const)('a decision from %s is a proposal', (surface) => {
  expect(proposed(event(surface, 'propose_decision', { decision: '002-a' }, { 'decisions/002-a.md': 'h' }))).toEqual([
    '002-a',
  ])
})

test('a decision that a person records, imports or repairs is not a proposal', () => {
  for (const surface of ['cli', 'import', 'repair', 'merge', 'recovery'] as const)
    expect(proposed(event(surface, 'propose_decision', { decision: '002-a' }, { 'decisions/002-a.md': 'h' }))).toEqual(
      [],
    )
})

test('an unknown origin is not a person', () => {
  expect(proposed({ ...agents('002-a'), origin: { surface: 'elsewhere' } as never })).toEqual(['002-a'])
  expect(proposed({ ...agents('002-a'), origin: undefined as never, facts: undefined as never })).toEqual(['002-a'])
})

test('superseding by an agent makes the new decision a proposal; the old one keeps its trust', () => {
  expect(
    proposed(
      event(
        'mcp-stdio',
        'supersede_decision',
        { decision: '003-b', target: '002-a' },
        { 'decisions/003-b.md': 'h', 'decisions/002-a.md': 'h' },
      ),
    ),
  ).toEqual(['003-b'])
})

test('a decision that an agent extends becomes a proposal again', () => {
  const accepted = [agents('002-a'), event('cli', 'accept', { decisions: ['002-a'] })]
  expect(proposed(...accepted)).toEqual([])
  expect(
    proposed(
      ...accepted,
      event('mcp-http', 'update_decision', { decision: '002-a', target: '002-a' }, { 'decisions/002-a.md': 'i' }),
    ),
  ).toEqual(['002-a'])
})

test('only a person can accept a proposal', () => {
  expect(proposed(agents('002-a'), event('mcp-stdio', 'accept', { decisions: ['002-a'] }))).toEqual(['002-a'])
  expect(proposed(agents('002-a'), event('cli', 'accept', { files: ['decisions/002-a.md'] }))).toEqual(['002-a'])
  expect(proposed(agents('002-a', { approved: true }))).toEqual([])
  expect(proposed(agents('002-a', { approved: 'true' }))).toEqual(['002-a'])
})

test('decisions of a record adopted with an agent’s first change keep their trust', () => {
  expect(proposed(event('mcp-stdio', 'adopt', {}, { 'decisions/001-a.md': 'h' }), agents('002-b'))).toEqual(['002-b'])
})

test('a renumbered proposal stays a proposal', () => {
  expect(
    proposed(agents('002-a'), event('merge', 'merge', { renumbered: [{ from: '002-a', to: '005-a' }, null, 3] })),
  ).toEqual(['005-a'])
})

test('restoring a snapshot does not accept proposals', () => {
  expect(
    proposed(
      agents('002-a'),
      event('cli', 'restore', { version: 1 }, { 'decisions/002-a.md': null }),
      event('cli', 'restore', { version: 2 }, { 'decisions/002-a.md': 'h' }),
    ),
  ).toEqual(['002-a'])
})
