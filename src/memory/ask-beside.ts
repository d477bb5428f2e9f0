import { setTimeout as sleep } from 'node:timers/promises'
import type { StopSignal } from '../kernel/domain/stop.ts'

/** Enough for a server on another continent, and too short to notice. */
const PATIENCE_MS = 700
/**
 * Additional time after the local answer, because responses from the network may not be read while that answer is
 * computed.
 */
const GRACE_MS = 150

/** A parallel remote request took longer than the local answer may wait. */
export class AskedTooLong extends Error {
  override readonly name = 'AskedTooLong'
}

/** Runs a remote request while the local answer is made. Throws `AskedTooLong` and aborts if it is late. */
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
