import { expect, test } from 'vitest'
import { dayHeading, factWords } from './diary.ts'
import type { Hit } from './use-hits.ts'

const fact = (kind: 'changed' | 'command' | 'commit', what: string, ok: boolean | null = true) => ({
  kind,
  what,
  ok,
  turn: 1,
  at: '2026-11-19T10:00:00Z',
})

test('summarises files, commits, commands and time of a session', () => {
  const done = {
    facts: [
      ...['a.ts', 'b.ts', 'a.ts', 'c.ts', 'd.ts'].map((path) => fact('changed', path)),
      fact('command', 'npm test', false),
      fact('command', 'npm test'),
      fact('commit', 'fix: keep rows'),
    ],
    ended: 'interrupted' as const,
    minutes: 12,
  }
  expect(factWords({ done })).toBe(
    'changed a.ts, b.ts, c.ts and 1 more · 1 commit · 2 commands, 1 failed · 12 min · interrupted',
  )
  expect(factWords({ done: { facts: [], ended: 'answered', minutes: 0 } })).toBe('')
})

test('adds a heading to the first session of each day', () => {
  const hits = ['2026-11-19T12:00:00Z', '2026-11-19T11:30:00Z', '2026-11-17T12:00:00Z'].map(
    (modified) => ({ modified }) as Hit,
  )
  // Versions of ICU differ in the comma.
  expect(hits.map((_, at) => dayHeading(hits, at)?.replace(',', ''))).toEqual([
    'Thursday 19 November 2026',
    undefined,
    'Tuesday 17 November 2026',
  ])
})
