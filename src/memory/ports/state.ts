import type { Tombstone } from '../domain/upkeep/session-retention.ts'

/**
 * What Ken must remember and cannot find out again. Every back end passes test/contract/state.contract.ts. Whatever a
 * call has resolved for survives a crash of the process or the machine. Several processes may use one state at once.
 */
export interface State {
  /** Where to go on with the harvest of one folder of one client; undefined before the first one. */
  cursor(client: string, root: string): Promise<string | undefined>
  keepCursor(client: string, root: string, cursor: string): Promise<void>
  /** In the order of client and session. */
  tombstones(): Promise<readonly Tombstone[]>
  /**
   * All or none; a second tombstone of a session replaces the first, but `forgotten` is never taken back by another.
   */
  bury(tombstones: readonly Tombstone[]): Promise<void>
  /** Takes tombstones away, all or none; that of a forgotten session stays. */
  raise(sessions: readonly Pick<Tombstone, 'client' | 'session'>[]): Promise<void>
  /** A fact under a name, e.g. the limit that held last; undefined before the first one. */
  fact(name: string): Promise<string | undefined>
  keepFact(name: string, value: string): Promise<void>
  close(): Promise<void>
}
