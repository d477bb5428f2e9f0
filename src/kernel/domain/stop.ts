import { AppError } from './errors.ts'

/** Required part of the web's AbortSignal, so that domains need no browser types. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export const stopped = (what = 'Stopped before it was done'): AppError =>
  new AppError('stopped', `${what}.`, { hint: 'Finished parts are kept.' })

export function throwIfStopped(signal: StopSignal | undefined): void {
  if (signal?.aborted) throw stopped()
}

/** Fires as soon as one of two signals does. */
export function eitherSignal(one: StopSignal | undefined, other: StopSignal): StopSignal {
  const both = one === undefined ? [other] : [one, other]
  return {
    get aborted() {
      return both.some(({ aborted }) => aborted)
    },
    addEventListener: (type, listener) => both.forEach((signal) => signal.addEventListener(type, listener)),
    removeEventListener: (type, listener) => both.forEach((signal) => signal.removeEventListener(type, listener)),
  }
}

/** Returns the result of the work, or throws `stopped` as soon as the signal fires, without waiting for the work. */
export async function orStopped<T>(work: Promise<T>, signal: StopSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(stopped())
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
