import { setTimeout } from 'node:timers/promises'
import { isLost, isRefused, isWorthAgain, unreachable } from './faults.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000

/**
 * Retries a transaction that certainly did not commit: the server chose another one, or was lost before the commit was
 * sent. `attempt` calls `landing` directly before it sends the commit.
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
      // Jitter, because transactions that collided once would collide again.
      await setTimeout(pause * (0.5 + Math.random()))
    }
  }
}
