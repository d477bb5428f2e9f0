import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JournalEvent } from './event.ts'
import { eventsUntil, statesAfter } from './events-until.ts'

const NOW = Date.parse('2026-12-31T00:00:00Z')

const event = (
  id: string,
  at: string,
  after: readonly string[] = [],
  files: JournalEvent['files'] = {},
): JournalEvent => ({
  event_version: 1,
  id,
  at: Number.isNaN(Date.parse(at)) ? at : new Date(at).toISOString(),
  operation: 'edit',
  origin: { surface: 'cli' },
  facts: {},
  files,
  ...(after.length > 0 && { after }),
})
/** A journal of events at these times, each a child of the previous one. */
const line = (...times: readonly string[]): JournalEvent[] =>
  times.map((at, n) => event(`e${n}`, at, n === 0 ? [] : [`e${n - 1}`]))
const until = (events: readonly JournalEvent[], moment: string): string =>
  eventsUntil(events, Date.parse(moment), NOW)
    .map(({ id }) => id)
    .join(' ')

describe('events as of a moment', () => {
  test('an event counts from its own millisecond on', () => {
    const events = line('2026-01-01T10:00:00.500Z', '2026-02-01')
    expect(until(events, '2026-01-01T10:00:00.499Z')).toBe('')
    expect(until(events, '2026-01-01T10:00:00.500Z')).toBe('e0')
    expect(until(events, '2026-01-31')).toBe('e0')
    expect(until(events, '2026-02-01')).toBe('e0 e1')
  })

  test('an event from a branch merged later counts from its own time, in any line order left by git', () => {
    const base = event('base', '2026-01-01')
    const ours = [event('a1', '2026-01-10', ['base']), event('a2', '2026-03-10', ['a1'])]
    const theirs = [event('b1', '2026-02-10', ['base']), event('b2', '2026-04-10', ['b1'])]
    const join = event('join', '2026-04-10', ['a2', 'b2'])
    for (const events of [
      [base, ...ours, ...theirs, join],
      [base, ...theirs, ...ours, join],
    ]) {
      expect(until(events, '2026-02-20')).toBe('base a1 b1')
      expect(until(events, '2026-03-20')).toBe('base a1 b1 a2')
      expect(until(events, '2026-05-01')).toBe('base a1 b1 a2 b2 join')
    }
  })

  test('a clock that once showed 1970 does not move earlier events', () => {
    const events = line('2026-01-01', '2026-02-01', '1970-01-01', '2026-03-01')
    expect(until(events, '1980-01-01')).toBe('')
    expect(until(events, '2026-01-15')).toBe('e0')
    expect(until(events, '2026-02-15')).toBe('e0 e1 e2')
    expect(until(events, '2026-03-15')).toBe('e0 e1 e2 e3')
  })

  test('a clock that was once years ahead does not hide later events', () => {
    const events = line('2026-01-01', '2040-01-01', '2040-01-02', '2040-01-03', '2026-03-01')
    expect(until(events, '2026-01-15')).toBe('e0')
    expect(until(events, '2026-03-01')).toBe('e0 e1 e2 e3 e4')
    expect(until(line('2026-01-01', '2040-01-01'), '2026-12-30')).toBe('e0')
    expect(until(line('2026-01-01', '2040-01-01'), '2026-12-31')).toBe('e0 e1')
  })

  test('two clocks that differ by seconds do not change the order', () => {
    const events = line('2026-01-01', '2026-02-01T10:00:05Z', '2026-02-01T10:00:03Z', '2026-03-01')
    expect(until(events, '2026-02-01T09:59:00Z')).toBe('e0')
    expect(until(events, '2026-02-01T10:01:00Z')).toBe('e0 e1 e2')
  })

  test('an unreadable time is replaced by the previous event’s time', () => {
    const events = line('2026-01-01', 'soon', '2026-03-01')
    expect(until(events, '2026-01-02')).toBe('e0 e1')
    expect(until(line('soon', '2026-03-01'), '2026-02-01')).toBe('')
  })

  test('terminates on a cycle of events, which only hostile input contains', () => {
    const events = [event('a', '2026-01-01', ['b']), event('b', '2026-02-01', ['a']), event('a', '2026-01-03', ['a'])]
    expect(eventsUntil(events, NOW, NOW)).toHaveLength(3)
  })

  test('for any times, all events are included by now, later moments only add events, and parents come first', () => {
    const times = fc.array(fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2028-01-01') }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(times, (given) => {
        const events = line(...given.map((time) => new Date(time).toISOString()))
        expect(eventsUntil(events, NOW, NOW)).toEqual(events)
        let before = 0
        for (const moment of given.filter((time) => time <= NOW).toSorted((a, b) => a - b)) {
          const found = eventsUntil(events, moment, NOW)
          expect(found).toEqual(events.slice(0, found.length))
          expect(found.length).toBeGreaterThanOrEqual(before)
          before = found.length
        }
      }),
      { numRuns: 200 },
    )
  })
})

test('a file has the state of its last event, and a removed file has none', () => {
  const events = [
    event('a', '2026-01-01', [], { 'x.md': 'one', 'y.md': 'one', ['__proto__']: 'one' }),
    event('b', '2026-01-02', ['a'], { 'x.md': 'two', 'y.md': null }),
  ]
  expect([...statesAfter(events)].filter(([path]) => path !== '__proto__')).toEqual([['x.md', 'two']])
})
