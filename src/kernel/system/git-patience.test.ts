import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tooSlow, waitForGit, withGitAllowance } from './git-patience.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

describe('the time budget of one call for git', () => {
  test('is shared by its commands, and concurrent commands count once', async () => {
    await withGitAllowance({ seconds: 0.1, isBudgeted: true, mayLeave: false }, async () => {
      const [one, other] = [waitForGit('here', 'log'), waitForGit('here', 'diff')]
      vi.advanceTimersByTime(100)
      expect([one.left(), other.left()]).toEqual([0, 0])
      one.end('answered')
      other.end('answered')
      const third = waitForGit('here', 'log')
      expect(third.left()).toBeCloseTo(40)
      vi.advanceTimersByTime(40)
      third.end('answered')
      expect(() => waitForGit('here', 'log')).toThrow(tooSlow('log', 100))
    })
  })

  test('is unlimited for calls that write and outside of a call', async () => {
    await withGitAllowance({ seconds: 0.1, isBudgeted: false, mayLeave: false }, async () => {
      for (let at = 0; at < 4; at++) {
        const wait = waitForGit('here', 'log')
        vi.advanceTimersByTime(100)
        expect(wait.left()).toBe(0)
        wait.end('answered')
      }
      expect(waitForGit('here', 'log').left()).toBe(100)
    })
    expect(waitForGit('here', 'log').mostMs).toBe(5_000)
  })
})
