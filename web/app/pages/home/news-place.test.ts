import { expect, test } from 'vitest'
import { newsPlace, newsWords, type NewsItem } from './news-place.ts'

const item = (more: Partial<NewsItem>): NewsItem => ({
  at: '2026-11-16T10:00:00.000Z',
  kind: 'decision',
  did: 'recorded',
  title: 'One slot is two hours',
  by: '',
  is_agent: false,
  trust: 'approved',
  ...more,
})

test.each([
  [{ kind: 'decision', ref: 'D012' }, 'decisions/D012'],
  [{ kind: 'question', ref: 'Q3' }, 'decisions?view=questions&question=Q3'],
  [{ kind: 'session', ref: 'a b/c' }, 'memory/doc/a%20b%2Fc'],
  [{ kind: 'sync', ref: 'database/shop' }, 'context/sources'],
  [{ kind: 'decision' }, undefined],
] as const)('%o is read at %s', (news, place) => expect(newsPlace(news)).toBe(place))

test.each([
  [item({}), 'recorded'],
  [item({ by: 'codex', is_agent: true }), 'proposed by Codex'],
  [item({ more: 'supersedes D016' }), 'recorded, supersedes D016'],
  [item({ kind: 'session', did: 'held', by: 'claude-code', is_agent: true }), 'Claude Code session'],
  [item({ by: 'ana' }), 'recorded by ana'],
  [item({ kind: 'question', did: 'resolved', more: 'by D014' }), 'question resolved, by D014'],
  [item({ kind: 'sync', did: 'synced', more: '8 tables' }), 'synced, 8 tables'],
])('%o is shown as %s', (news, words) => expect(newsWords(news)).toBe(words))
