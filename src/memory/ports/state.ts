import type { Tombstone } from '../domain/upkeep/session-retention.ts'

/**
 * State that Ken cannot recompute. Every back end passes test/contract/state.contract.ts. Once a call has resolved, its
 * result survives a crash of the process or the machine. Several processes may use one state at once.
 */
export interface State {
  /** Position at which to continue the harvest of one client folder; undefined before the first harvest. */
  cursor(client: string, root: string): Promise<string | undefined>
  keepCursor(client: string, root: string, cursor: string): Promise<void>
  /** Ordered by client and session. */
  tombstones(): Promise<readonly Tombstone[]>
  /** All or none; a second tombstone of a session replaces the first, but `forgotten` is never replaced by another. */
  bury(tombstones: readonly Tombstone[]): Promise<void>
  /** Removes tombstones, all or none; the tombstone of a forgotten session is kept. */
  raise(sessions: readonly Pick<Tombstone, 'client' | 'session'>[]): Promise<void>
  /** A named fact, e.g. the last limit in effect; undefined until it is first set. */
  fact(name: string): Promise<string | undefined>
  keepFact(name: string, value: string): Promise<void>
  close(): Promise<void>
}
