import type { StopSignal } from '../domain/stop.ts'

/**
 * The right to do something that one process of many has at a time, also of those on other machines. It is lent for a
 * while and renewed; of a process that dies or is cut off it is taken back when that has passed.
 */
export interface SharedLeases {
  /** Undefined while somebody has it. */
  tryTake(name: string): Promise<HeldLease | undefined>
  /** Gives back what is held here. */
  close(): Promise<void>
}

export interface HeldLease {
  /** Aborted when it could not be renewed in time: somebody else may have it from now on. */
  readonly lost: StopSignal
  release(): Promise<void>
}
