import { AppError } from '../kernel/domain/errors.ts'
import { inBytes } from '../kernel/domain/text.ts'
import type { Warehouse } from './ports/warehouse.ts'

export interface ProfileBudget {
  /** Warehouse that runs all statements within the time and bytes of one table. */
  forTable(warehouse: Warehouse): { readonly warehouse: Warehouse; limitedBy(): string | undefined }
  /** True if the time of the whole sync is used up. */
  isSpent(): boolean
}

interface BudgetConfig {
  readonly seconds: number
  readonly total_seconds: number
  readonly max_bytes: number
}

/** Limits of profiling per table and per sync. Only running time counts. */
export function openProfileBudget({ seconds, total_seconds, max_bytes }: BudgetConfig): ProfileBudget {
  let [running, since, used] = [0, 0, 0]
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running++ === 0) since = performance.now()
    try {
      return await work()
    } finally {
      if (--running === 0) used += performance.now() - since
    }
  }
  return {
    isSpent: () => used + (running > 0 ? performance.now() - since : 0) >= total_seconds * 1000,
    forTable(warehouse) {
      let milliseconds = seconds * 1000
      let bytes = max_bytes
      let limit: string | undefined
      const query: Warehouse['query'] = async (sql, limits, signal) => {
        if (milliseconds <= 0) throw timeout(seconds)
        const started = performance.now()
        const bounded = { ...limits, milliseconds: Math.min(limits.milliseconds, milliseconds), scan: bytes }
        try {
          const found = await timed(() => warehouse.query(sql, bounded, signal))
          bytes = Math.max(0, bytes - (found.billedBytes ?? 0))
          return found
        } catch (error) {
          limit = limitOf(error) ?? limit
          throw error
        } finally {
          milliseconds -= performance.now() - started
        }
      }
      const limitOf = (error: unknown): string | undefined => {
        const reason = error instanceof AppError ? error.details?.['reason'] : undefined
        if (reason === 'cost') return `reading more than ${inBytes(max_bytes)} needs a larger profiling.max_bytes`
        return reason === 'timeout' ? 'it takes too long' : undefined
      }
      return { warehouse: { ...warehouse, query }, limitedBy: () => limit }
    },
  }
}

const timeout = (seconds: number): AppError =>
  new AppError('unavailable', `profiling took longer than ${seconds} s`, {
    hint: 'Raise `profiling.seconds` in ken.yaml.',
    details: { reason: 'timeout' },
  })
