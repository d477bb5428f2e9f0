import { setTimeout } from 'node:timers/promises'
import { isLost, isRefused, isWorthAgain, unreachable } from './faults.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000

/**
 * Tries until it landed, as long as it certainly did not: the server chose another transaction, or was lost before it
 * was asked to land this one. `attempt` calls `landing` directly before it asks.
 */
export async function untilLanded<T>(patience: number, attempt: (landing: () => void) => Promise<T>): Promise<T> {
  const end = performance.now() + patience
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    let isLanding = false
    try {
      return await attempt(() => {
        isLanding = true
      })
    } catch (error) {
      const isGone = isLost(error)
      if (!isGone && !isWorthAgain(error)) throw isRefused(error) ? unreachable(error) : error
      if (isGone && isLanding) throw unreachable(error, 'unknown')
      if (performance.now() + pause > end) throw unreachable(error)
      // Those that met once would meet again.
      await setTimeout(pause * (0.5 + Math.random()))
    }
  }
}
