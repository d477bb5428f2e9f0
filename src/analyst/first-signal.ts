import type { StopSignal } from '../kernel/domain/stop.ts'

/** Aborts with the first of several signals of different kinds. */
export function firstSignal(...signals: readonly (StopSignal | undefined)[]): AbortSignal {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) first.abort()
    signal?.addEventListener('abort', () => first.abort())
  }
  return first.signal
}
