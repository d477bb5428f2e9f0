import { AppError } from '../core/errors.ts'
import type { Lease } from '../ports/lease.ts'

const PAUSE = 100

/**
 * Runs `work` with the lease, waiting for it up to `patience` milliseconds; undefined when another process keeps it.
 */
export async function withLease<T>(lease: Lease, patience: number, work: () => Promise<T>): Promise<T | undefined> {
  let release = lease.tryTake()
  for (let waited = 0; release === undefined && waited < patience; waited += PAUSE) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    release = lease.tryTake()
  }
  if (release === undefined) return undefined
  try {
    return await work()
  } finally {
    release()
  }
}

export const leaseTaken = (): AppError =>
  new AppError('unavailable', 'Another process is harvesting or clearing up right now.', {
    hint: 'Try again in a moment; `ken watch` or an MCP server may be at it.',
  })
