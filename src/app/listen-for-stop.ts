import { constants } from 'node:os'
import type { StopSignal } from '../kernel/domain/stop.ts'

export interface StopListening {
  readonly signal: StopSignal
  /** Returns the signal that stopped the run, e.g. `SIGINT`; undefined if none did. */
  readonly by: () => NodeJS.Signals | undefined
  close(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Converts Ctrl-C to an abort signal: the first stops the work, the second ends the process. Without a listener the
 * system default applies, which ends an uninterruptible command at once.
 */
export function listenForStop(): StopListening {
  const stop = new AbortController()
  let by: NodeJS.Signals | undefined
  let isHeard = false
  const onSignal = (name: NodeJS.Signals): void => {
    if (by !== undefined) process.exit(exitCodeOf(name))
    by = name
    stop.abort()
  }
  const hear = (): AbortSignal => {
    if (!isHeard) for (const name of SIGNALS) process.on(name, onSignal)
    isHeard = true
    return stop.signal
  }
  return {
    signal: {
      get aborted() {
        return hear().aborted
      },
      addEventListener: (type, listener) => hear().addEventListener(type, listener),
      removeEventListener: (type, listener) => stop.signal.removeEventListener(type, listener),
    },
    by: () => by,
    close() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}

/** Exit code by shell convention: 130 for Ctrl-C. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
