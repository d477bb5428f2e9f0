import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../kernel/domain/errors.ts'
import type { Lease } from '../kernel/ports/lease.ts'

const PAUSE = 50

/** Acquires the lease, waiting up to `patience` milliseconds; undefined if another process still holds it. */
export async function takeLease(
  lease: Lease,
  patience: number,
  signal?: AbortSignal,
): Promise<(() => void) | undefined> {
  for (let waited = 0; ; waited += PAUSE) {
    const release = lease.tryTake()
    if (release !== undefined || waited >= patience || signal?.aborted === true) return release
    await sleep(PAUSE)
  }
}

/** Runs `work` with the lease; undefined when another process keeps it for longer than `patience` milliseconds. */
export async function withLease<T>(lease: Lease, patience: number, work: () => Promise<T>): Promise<T | undefined> {
  const release = await takeLease(lease, patience)
  if (release === undefined) return undefined
  try {
    return await work()
  } finally {
    release()
  }
}

export const leaseTaken = (): AppError =>
  new AppError('unavailable', 'Another process is harvesting or cleaning up.', {
    hint: 'Try again shortly; `ken watch` or an MCP server may be using it.',
  })
