import type { Tombstone } from '../core/upkeep/tombstone.ts'

/** How far the harvest of one folder of one client has come. */
export interface HarvestMark {
  readonly cursor: string
  /** The session that each file told of in this harvest tells, by path below the root. */
  readonly sources: Readonly<Record<string, string>>
}

/**
 * What Ken must remember and cannot find out again. Every back end passes test/contract/state.contract.ts.
 * Whatever a call has resolved for survives a crash of the process or the machine. Several processes may use one state at once.
 */
export interface State {
  /** Undefined before the first harvest of that folder. */
  cursor(client: string, root: string): Promise<string | undefined>
  /** The session that was last told from a file. */
  sessionAt(client: string, root: string, path: string): Promise<string | undefined>
  /** Cursor and sources land together; sources of earlier harvests stay. */
  markHarvest(client: string, root: string, mark: HarvestMark): Promise<void>
  /** In the order of client and session. */
  tombstones(): Promise<readonly Tombstone[]>
  /** All or none; a second tombstone of a session replaces the first, but `forgotten` is never taken back by `evicted`. */
  bury(tombstones: readonly Tombstone[]): Promise<void>
  close(): Promise<void>
}
