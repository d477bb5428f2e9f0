import { setTimeout as sleep } from 'node:timers/promises'
import type { StopSignal } from '../kernel/domain/stop.ts'

/** Enough for a server on another continent; a person does not wait for less. */
const PATIENCE_MS = 700
/** While the own answer is made nobody may have listened to the network. */
const GRACE_MS = 150

/** Somebody who was asked beside took longer than the own answer may wait. */
export class AskedTooLong extends Error {
  override readonly name = 'AskedTooLong'
}

/** What somebody elsewhere answers while the own answer is made. Throws `AskedTooLong`, and ends the asking then. */
export async function askBeside<T>(ask: (signal: StopSignal) => Promise<T>, own: Promise<unknown>): Promise<T> {
  const stop = new AbortController()
  const { signal } = stop
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal })
  const late = Promise.all([pause(PATIENCE_MS), own.then(() => pause(GRACE_MS))]).then(() => {
    throw new AskedTooLong()
  })
  late.catch(() => undefined)
  const asked = ask(signal)
  asked.catch(() => undefined)
  return Promise.race([asked, late]).finally(() => stop.abort())
}
