import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAllowances } from './allowance.ts'

test('allows a burst, then the rate per minute, separately for each key', () => {
  let time = 0
  const allowances = openAllowances(() => time)
  const take = (key: string): number => allowances.take(key, { burst: 3, perMinute: 60 })
  expect([take('a'), take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 0, 1, 0])
  time += 1_000
  expect([take('a'), take('a')]).toEqual([0, 1])
})

test('allows a caller that waits for the returned time, and never exceeds the burst and the rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
      (burst, perMinute, pauses) => {
        let time = 0
        const allowances = openAllowances(() => time)
        let taken = 0
        for (const pause of pauses) {
          time += pause
          const wait = allowances.take('key', { burst, perMinute })
          if (wait === 0) taken += 1
          else {
            time += wait * 1_000
            expect(allowances.take('key', { burst, perMinute })).toBe(0)
            taken += 1
          }
        }
        expect(taken).toBeLessThanOrEqual(burst + (time / 60_000) * perMinute + 1e-6)
      },
    ),
  )
})

test('drops one-time keys before there are too many', () => {
  const allowances = openAllowances(() => 0)
  for (let at = 0; at < 60_000; at += 1) allowances.take(`key ${at}`, { burst: 1, perMinute: 1 })
  expect(allowances.take('key 0', { burst: 1, perMinute: 1 })).toBe(0)
  expect(allowances.take('key 59999', { burst: 1, perMinute: 1 })).toBeGreaterThan(0)
})
