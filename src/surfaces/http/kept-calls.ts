import { AppError } from '../../kernel/domain/errors.ts'
import type { StreamedCall } from './event-stream.ts'

type Answer = Readonly<Record<string, unknown>>

/** A call that continues regardless of listeners, under a name chosen by its caller. */
interface KeptCall {
  readonly stop: AbortController
  readonly listeners: Set<StreamedCall>
  /** Latest progress of the call; sent at once to a returning listener. */
  progress: Parameters<StreamedCall['progress']> | undefined
  readonly outcome: Promise<Answer>
  endedAt: number | undefined
}

export interface KeptCalls {
  /** Listens to the call with that name, and starts it if it is not running. */
  join(name: string, listener: StreamedCall, begin: (through: StreamedCall) => Promise<Answer>): Promise<Answer>
  /** Listens to a running or recently ended call; undefined if there is none of that name. */
  follow(name: string, listener: StreamedCall): Promise<Answer> | undefined
  stop(name: string): boolean
  stopAll(): Promise<void>
}

// A reloaded page still gets the outcome.
const KEPT_FOR = 10 * 60_000
const MOST_ENDED = 100
// Calls continue without listeners, so the number of connections does not limit them. A page has only a few.
const MOST_UNDER_WAY = 100

/**
 * Long work that a page started: the page may be reloaded, or lose its connection, and resume it. Keeps only the last
 * progress and the outcome of each call.
 */
export function openKeptCalls(now: () => number): KeptCalls {
  const calls = new Map<string, KeptCall>()
  const dropOld = (): void => {
    const ended = [...calls].filter(([, { endedAt }]) => endedAt !== undefined)
    const tooMany = ended.length - MOST_ENDED
    for (const [at, [name, { endedAt }]] of ended.entries())
      if (at < tooMany || endedAt! + KEPT_FOR < now()) calls.delete(name)
  }
  const underWay = (): number => [...calls.values()].filter(({ endedAt }) => endedAt === undefined).length
  const start = (begin: (through: StreamedCall) => Promise<Answer>): KeptCall => {
    const stop = new AbortController()
    const listeners = new Set<StreamedCall>()
    const through: StreamedCall = {
      signal: stop.signal,
      hear: (event) => {
        for (const { hear } of listeners) void hear(event)
      },
      progress: (...said) => {
        kept.progress = said
        for (const { progress } of listeners) progress(...said)
      },
    }
    const kept: KeptCall = {
      stop,
      listeners,
      progress: undefined,
      endedAt: undefined,
      outcome: Promise.resolve()
        .then(() => begin(through))
        .finally(() => (kept.endedAt = now())),
    }
    // The call may fail without a listener.
    kept.outcome.catch(() => {})
    return kept
  }
  const listen = async (kept: KeptCall, listener: StreamedCall): Promise<Answer> => {
    if (kept.progress !== undefined && kept.endedAt === undefined) listener.progress(...kept.progress)
    kept.listeners.add(listener)
    const gone = new Promise<never>((_, left) =>
      listener.signal.addEventListener('abort', () => left(new Error('The listener has gone away.'))),
    )
    return Promise.race([kept.outcome, gone]).finally(() => kept.listeners.delete(listener))
  }
  return {
    join(name, listener, begin) {
      dropOld()
      const found = calls.get(name)
      const isUnderWay = found !== undefined && found.endedAt === undefined
      if (!isUnderWay && underWay() >= MOST_UNDER_WAY) return Promise.reject(tooMany())
      const kept = isUnderWay ? found : start(begin)
      // A restarted call becomes the newest.
      calls.delete(name)
      calls.set(name, kept)
      return listen(kept, listener)
    },
    follow(name, listener) {
      dropOld()
      const found = calls.get(name)
      return found && listen(found, listener)
    },
    stop(name) {
      const found = calls.get(name)
      found?.stop.abort()
      return found !== undefined && found.endedAt === undefined
    },
    async stopAll() {
      for (const { stop } of calls.values()) stop.abort()
      await Promise.allSettled([...calls.values()].map(({ outcome }) => outcome))
    },
  }
}

const tooMany = (): AppError =>
  new AppError('unavailable', 'Too many requests in progress.', { hint: 'Stop one, or wait until one finishes.' })
