import type { StopSignal } from '../kernel/domain/stop.ts'

/** Stops with the first of several; whoever stops a program or a request has a signal of their own kind. */
export function firstSignal(...signals: readonly (StopSignal | undefined)[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) first.abort()
    signal?.addEventListener('abort', () => first.abort())
  }
  return first.signal
}
