import type { Client } from 'pg'

const BEAT_MS = 2_000
// Six seconds, so that what is under way can still commit elsewhere. Counted in beats, so that a stall of this process
// does not count as the server's silence.
const MOST_MISSED = 3

/**
 * Pings a connection regularly and reports when nothing comes back. A power loss or a network partition ends no
 * connection: the operating system waits for a quarter of an hour.
 */
export function watchPulse(client: Client, fellSilent: () => void): void {
  let isAsked = false
  let missed = 0
  const answered = (): void => {
    isAsked = false
  }
  const timer = setInterval(() => {
    if (isAsked) {
      missed += 1
      if (missed === MOST_MISSED) fellSilent()
      return
    }
    isAsked = true
    missed = 0
    client.query('SELECT 1').then(answered, answered)
  }, BEAT_MS)
  timer.unref()
  client.once('end', () => clearInterval(timer))
}
