import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/domain/errors.ts'
import { mayReturn, staysBuried, type Tombstone } from './session-retention.ts'
import { guardDisk, isWorthReclaiming, looksForOrphans, pauseAfter } from './upkeep-rules.ts'

const tombstone = (why: Tombstone['why']): Tombstone => ({
  client: 'codex',
  session: 's',
  why,
  ended: '2026-03-01T10:00:00Z',
  at: '2026-06-01T00:00:00Z',
})

test('an evicted session does not return until the conversation continues', () => {
  expect(staysBuried(tombstone('evicted'), '2026-03-01T10:00:00.000Z')).toBe(true)
  expect(staysBuried(tombstone('evicted'), '2026-03-01T10:00:01Z')).toBe(false)
})

test('longer retention restores expired sessions, more room evicted ones; forgotten ones never return', () => {
  const now = Date.parse('2026-06-01T00:00:00Z')
  const back = (why: Tombstone['why'], retentionDays: number, hasMoreRoom = false) =>
    mayReturn(tombstone(why), now, { retentionDays, hasMoreRoom })
  expect([back('expired', 91), back('expired', 93), back('expired', Infinity)]).toEqual([false, true, true])
  expect([back('evicted', Infinity), back('evicted', Infinity, true), back('evicted', 30, true)]).toEqual([
    false,
    true,
    false,
  ])
  expect(back('forgotten', Infinity, true)).toBe(false)
})

test('a forgotten session never returns, even if the conversation continues', () => {
  expect(staysBuried(tombstone('forgotten'), '2027-01-01T00:00:00Z')).toBe(true)
})

test('rejects a write below the disk limit, but not at the limit or if free space is unknown', () => {
  expect(() => guardDisk(99, 100)).toThrow(AppError)
  expect(() => guardDisk(100, 100)).not.toThrow()
  expect(() => guardDisk(undefined, 100)).not.toThrow()
})

test('the pause grows with failures up to a limit and has a minimum', () => {
  expect([0, 1, 2, 3, 9].map((failures) => pauseAfter(120, failures) / 1000)).toEqual([120, 240, 480, 960, 960])
  expect(pauseAfter(0, 0)).toBe(5000)
  expect(pauseAfter(1e12, 99)).toBeLessThan(2 ** 31)
})

test('searches for orphans in the first cycle and every tenth after', () => {
  expect([...Array(21).keys()].filter(looksForOrphans)).toEqual([0, 10, 20])
})

test('reclaims space if much is wasted, or if some is wasted while over the limit, and never if none is wasted', () => {
  const MB = 1024 ** 2
  expect(isWorthReclaiming({ bytes: 100 * MB, wasted: 21 * MB }, false)).toBe(true)
  expect(isWorthReclaiming({ bytes: 100 * MB, wasted: 19 * MB }, false)).toBe(false)
  expect(isWorthReclaiming({ bytes: MB, wasted: 0.9 * MB }, false)).toBe(false)
  expect(isWorthReclaiming({ bytes: 100 * MB, wasted: 3 * MB }, true)).toBe(true)
  expect(isWorthReclaiming({ bytes: 100 * MB, wasted: MB }, true)).toBe(false)
  expect(isWorthReclaiming({ bytes: 0, wasted: 0 }, true)).toBe(false)
})
