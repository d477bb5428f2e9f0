import { AppError } from '../core/errors.ts'
import type { Warehouse } from '../ports/warehouse.ts'

export interface ProfileBudget {
  /** A warehouse whose statements, from now on, have the time of one table together. */
  forTable(warehouse: Warehouse): Warehouse
  /** True when the time of the whole sync is spent. */
  isSpent(): boolean
}

/** How long profiling may take: each table, and all of one sync together. Only time in which something runs counts. */
export function openProfileBudget({
  seconds,
  total_seconds,
  max_bytes,
}: {
  readonly seconds: number
  readonly total_seconds: number
  readonly max_bytes: number
}): ProfileBudget {
  let running = 0
  let since = 0
  let used = 0
  const spent = (): number => used + (running > 0 ? performance.now() - since : 0)
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running++ === 0) since = performance.now()
    try {
      return await work()
    } finally {
      if (--running === 0) used += performance.now() - since
    }
  }
  return {
    isSpent: () => spent() >= total_seconds * 1000,
    forTable(warehouse) {
      let left = seconds * 1000
      return {
        ...warehouse,
        async query(sql, limits, signal) {
          if (left <= 0) throw outOfBudget(seconds)
          const started = performance.now()
          const bounded = { ...limits, milliseconds: Math.min(limits.milliseconds, left), scan: max_bytes }
          try {
            return await timed(() => warehouse.query(sql, bounded, signal))
          } finally {
            left -= performance.now() - started
          }
        },
      }
    },
  }
}

const outOfBudget = (seconds: number): AppError =>
  new AppError('unavailable', `profiling took longer than ${seconds} s`, {
    hint: '`profiling.seconds` in ken.yaml gives it more.',
    details: { reason: 'timeout' },
  })
