import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planEviction } from './session-retention.ts'

const DAY = 24 * 3600 * 1000
const NOW = Date.parse('2026-06-01T00:00:00Z')
const session = (path: string, days: number, bytes = 10, usedDays?: number) => ({
  path,
  ended: NOW - days * DAY,
  used: usedDays === undefined ? undefined : NOW - usedDays * DAY,
  bytes,
})
const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path)
const ROOMY = { retentionDays: 90, maxBytes: 1000, otherBytes: 0 }

describe('eviction', () => {
  test('evicts a session that ended longer ago than the retention, but not on its last day', () => {
    const plan = planEviction([session('new', 1), session('on-the-day', 90), session('late', 90.01)], NOW, ROOMY)
    expect(paths(plan.expired)).toEqual(['late'])
    expect(plan.oversize).toEqual([])
  })

  test('evicts the oldest until the rest fits, not counting expired ones', () => {
    const all = [session('c', 10, 40), session('a', 30, 40), session('old', 200, 500), session('b', 20, 40)]
    const plan = planEviction(all, NOW, { retentionDays: 90, maxBytes: 100, otherBytes: 20 })
    expect(paths(plan.expired)).toEqual(['old'])
    expect(paths(plan.oversize)).toEqual(['a'])
  })

  test('keeps recently used sessions before younger unused ones', () => {
    const all = [session('unused', 10, 40), session('used', 300, 40, 1), session('used-long-ago', 300, 40, 200)]
    const plan = planEviction(all, NOW, { retentionDays: Infinity, maxBytes: 40, otherBytes: 0 })
    expect(paths(plan.oversize)).toEqual(['used-long-ago', 'unused'])
  })

  test('nothing expires without an age limit', () => {
    const plan = planEviction([session('old', 5000)], NOW, { ...ROOMY, retentionDays: Infinity })
    expect(plan).toMatchObject({ expired: [], oversize: [] })
  })

  test('evicts nothing exactly at the limit', () => {
    expect(planEviction([session('a', 1, 50), session('b', 2, 50)], NOW, { ...ROOMY, maxBytes: 100 }).oversize).toEqual(
      [],
    )
  })

  test('evicts no session for a limit that cannot be met', () => {
    const plan = planEviction([session('a', 1), session('old', 100)], NOW, {
      retentionDays: 90,
      maxBytes: 100,
      otherBytes: 130,
    })
    expect(plan).toMatchObject({ oversize: [], beyondReach: 30 })
    expect(paths(plan.expired)).toEqual(['old'])
  })

  test('keeps sessions that fit and were used later than the evicted ones, and evicts as few as possible', () => {
    const sessions = fc.uniqueArray(
      fc.record({
        path: fc.string({ minLength: 1 }),
        ended: fc.integer({ min: NOW - 200 * DAY, max: NOW }),
        used: fc.option(fc.integer({ min: NOW - 200 * DAY, max: NOW }), { nil: undefined }),
        bytes: fc.integer({ min: 0, max: 60 }),
      }),
      { selector: ({ path }) => path },
    )
    fc.assert(
      fc.property(sessions, fc.integer({ min: 0, max: 500 }), (all, maxBytes) => {
        const { expired, oversize } = planEviction(all, NOW, { retentionDays: 90, maxBytes, otherBytes: 0 })
        const gone = new Set([...expired, ...oversize])
        const kept = all.filter((each) => !gone.has(each))
        const total = (list: readonly { bytes: number }[]) => list.reduce((sum, { bytes }) => sum + bytes, 0)
        expect(total(kept)).toBeLessThanOrEqual(maxBytes)
        const last = ({ ended, used }: (typeof all)[number]) => Math.max(ended, used ?? ended)
        for (const each of oversize) expect(kept.every((other) => last(other) >= last(each))).toBe(true)
        if (oversize.length > 0) expect(total(kept) + oversize.at(-1)!.bytes).toBeGreaterThan(maxBytes)
      }),
    )
  })
})
