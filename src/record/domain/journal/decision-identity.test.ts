import { expect, test } from 'vitest'
import { IdentityLog } from './decision-identity.ts'
import type { JournalEvent } from './event.ts'

const event = (id: string, files: JournalEvent['files'], facts: JournalEvent['facts'] = {}): JournalEvent => ({
  event_version: 1,
  id,
  at: '2026-03-01T00:00:00.000Z',
  operation: 'x',
  origin: { surface: 'cli' },
  facts,
  files,
})

const path = (stem: string): string => `decisions/${stem}.md`

test('a decision renamed in the same change keeps its identity', () => {
  const log = new IdentityLog().follow([
    event('A', { [path('002-cache')]: 'x' }),
    event('B', { [path('002-cache')]: null, [path('002-cache-in-redis')]: 'y' }),
  ])
  expect(log.ids.get('002-cache-in-redis')).toBe(log.ids.get('002-cache'))
})

test('a decision renumbered because of a duplicate name gets a new id, and the other keeps its id', () => {
  const log = new IdentityLog().follow([
    event('A', { [path('002-cache')]: 'x' }),
    event(
      'B',
      { [path('002-cache')]: 'y', [path('003-cache')]: 'z' },
      { renumbered: [{ from: '002-cache', to: '003-cache' }] },
    ),
  ])
  expect(log.ids.get('003-cache')).not.toBe(log.ids.get('002-cache'))
  expect(log.moved).toEqual([{ num: 2, id: log.ids.get('003-cache'), at: '2026-03-01T00:00:00.000Z' }])
})

test('an event read twice takes effect once, and invalid moves are ignored', () => {
  const twice = event(
    'B',
    { [path('002-a')]: null, [path('003-a')]: 'z' },
    {
      renumbered: [{ from: '002-a', to: '003-a' }, null, 7, { from: 1 }],
    },
  )
  const log = new IdentityLog().follow([event('A', { [path('002-a')]: 'x' }), twice])
  expect(new IdentityLog(log).follow([twice]).moved).toHaveLength(1)
})

test('reads a journal with very many files and moves in one line', () => {
  const stems = Array.from({ length: 40_000 }, (_, i) => `${i}-x`)
  const log = new IdentityLog().follow([
    event('A', Object.fromEntries(stems.map((stem) => [path(stem), 'x']))),
    event('B', Object.fromEntries(stems.map((stem) => [path(stem), null])), {
      renumbered: stems.map((from, i) => ({ from, to: `${i + 40_000}-x` })),
    }),
  ])
  expect(log.moved).toHaveLength(40_000)
})

test('assigns two ids if one line moves a decision to two places', () => {
  const log = new IdentityLog().follow([
    event('A', { [path('002-a')]: 'x' }),
    event(
      'B',
      { [path('002-a')]: null, [path('003-a')]: 'y', [path('004-a')]: 'z' },
      {
        renumbered: [
          { from: '002-a', to: '003-a' },
          { from: '002-a', to: '004-a' },
        ],
      },
    ),
  ])
  expect(log.ids.get('003-a')).toBe(log.ids.get('002-a'))
  expect(log.ids.get('004-a')).not.toBe(log.ids.get('003-a'))
})
