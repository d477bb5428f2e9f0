import type { Clock } from '../../kernel/ports/clock.ts'
import { systemClock } from '../../kernel/system/clock.ts'

/** A clock that can be set back by a number of days, so that the example has a past. */
export interface DemoClock extends Clock {
  setTo(daysAgo: number, hour?: number): void
  /** Returns a past time as an ISO string. */
  moment(daysAgo: number, hour?: number): string
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FIRST_DAY = 120

export function demoClock(start: Date): DemoClock {
  const momentOf = (daysAgo: number, hour: number): number => {
    const day = new Date(start.getTime() - daysAgo * DAY).setUTCHours(hour, (daysAgo * 17) % 60, 0, 0)
    // Keeps today's events before the start of the demo.
    return Math.min(day, start.getTime() - MINUTE)
  }
  let time = momentOf(FIRST_DAY, 9)
  return {
    ...systemClock,
    // Advances by a millisecond each, so that consecutive writes have distinct times.
    now: () => new Date(time++),
    setTo(daysAgo, hour = 10) {
      time = momentOf(daysAgo, hour)
    },
    moment: (daysAgo, hour = 10) => new Date(momentOf(daysAgo, hour)).toISOString(),
  }
}
