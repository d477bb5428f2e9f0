import { expect, test } from 'vitest'
import { rulerTicks, tickOf } from './ruler-scale.ts'

const day = (day: string, events = 1) => ({ day, events, decisions: events })

test('days are positioned by time, and the busiest day is highest', () => {
  const ticks = rulerTicks([day('2026-01-11'), day('2026-01-01', 4), day('2026-01-06')])
  expect(ticks.map(({ day: on, at }) => [on, at])).toEqual([
    ['2026-01-01', 0],
    ['2026-01-06', 0.5],
    ['2026-01-11', 1],
  ])
  expect(ticks[0]!.height).toBe(1)
  expect(ticks[1]!.height).toBeLessThan(1)
})

test('ten years of days are merged into the visible number of ticks without losing a change', () => {
  const days = Array.from({ length: 3_650 }, (_, i) =>
    day(new Date(Date.UTC(2016, 0, 1 + i)).toISOString().slice(0, 10)),
  )
  const ticks = rulerTicks(days)
  expect(ticks.length).toBeLessThanOrEqual(401)
  expect(ticks.reduce((sum, { events }) => sum + events, 0)).toBe(3_650)
})

test('a single day is at the end; invalid days are left out', () => {
  expect(rulerTicks([day('2026-01-01'), day('nonsense')])).toMatchObject([{ at: 1 }])
  expect(rulerTicks([])).toEqual([])
})

test('an as-of date selects the last day at or before it', () => {
  const ticks = rulerTicks([day('2026-01-01'), day('2026-01-06'), day('2026-01-11')])
  expect(tickOf(ticks, undefined)).toBe(2)
  expect(tickOf(ticks, '2026-01-08')).toBe(1)
  expect(tickOf(ticks, '2025-01-01')).toBe(0)
  expect(tickOf(ticks, 'v1.2')).toBe(2)
})
