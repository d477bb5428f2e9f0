import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the result of `work`, or throws an error with `message` after the given milliseconds. The work continues. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const stop = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: stop.signal }).then(() => {
    throw new Error(message)
  })
  late.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => stop.abort())
}
