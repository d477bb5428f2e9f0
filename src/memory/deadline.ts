import { setTimeout as sleep } from 'node:timers/promises'

/** What `work` gives, or a failure with `message` after so many milliseconds. The work itself goes on unheard. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const stop = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: stop.signal }).then(() => {
    throw new Error(message)
  })
  late.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => stop.abort())
}
