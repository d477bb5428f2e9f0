import type { Clock } from '../../src/kernel/ports/clock.ts'

/** A clock that advances one second with every read, and ids that count up. */
export function stepClock(start = '2026-03-01T09:00:00.000Z'): Clock {
  let time = Date.parse(start) - 1000
  let count = 0
  const next = (length: number) => (++count).toString(16).padStart(length, '0')
  return {
    now: () => new Date((time += 1000)),
    ulid: () => `01JQ${next(22)}`.toUpperCase(),
    uuid: () => `${next(8)}-0000-4000-8000-000000000000`,
  }
}
