import type { StopSignal } from '../domain/stop.ts'

/**
 * The right to do something, held by one process at a time across machines. It is granted for a limited time and
 * renewed; if its process dies or loses its connection, it expires.
 */
export interface SharedLeases {
  /** Undefined while the lease is taken. */
  tryTake(name: string): Promise<HeldLease | undefined>
  /** Releases the leases held here. */
  close(): Promise<void>
}

export interface HeldLease {
  /** Aborted if the lease could not be renewed in time: another process may hold it from now on. */
  readonly lost: StopSignal
  release(): Promise<void>
}
