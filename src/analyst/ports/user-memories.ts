import type { MemoryRow } from '../domain/user-memory/memory-row.ts'

/** One change of what is remembered; several are made together or not at all. */
export type MemoryChange =
  | { readonly kind: 'add'; readonly row: MemoryRow; readonly supersedes?: string }
  | { readonly kind: 'edit'; readonly id: string; readonly content: string; readonly at: string }
  /** `revive`: the row that it had superseded holds again. */
  | { readonly kind: 'forget'; readonly id: string; readonly at: string; readonly revive: boolean }
  /** The row, its words and its content are gone for good, out of the history too. */
  | { readonly kind: 'erase'; readonly id: string; readonly at: string }

/**
 * What a user said of themselves and how they want things. Every back end passes
 * test/contract/user-memories.contract.ts.
 */
export interface UserMemories {
  /** Those that hold, the newest first: the user's own, and those of the project where one is named. */
  active(user: string, project?: string): Promise<readonly MemoryRow[]>
  /** All of them, also superseded and forgotten ones, the newest first. */
  all(user: string): Promise<readonly MemoryRow[]>
  /** Undefined for that of another user. */
  find(id: string, user: string): Promise<MemoryRow | undefined>
  /**
   * In one transaction. A row that supersedes one of another category, or one that is not there or does not hold, is
   * added without the link. Throws `not_found` for any other change of what is not there or not this user's, and
   * `conflict` for an id that there is already.
   */
  apply(user: string, changes: readonly MemoryChange[]): Promise<void>
  /** What happened, the newest first. */
  history(user: string, id?: string): Promise<readonly MemoryEvent[]>
  /**
   * Takes back the newest change that was not undone yet, whole, and says what it was: its first event. What was erased
   * does not come back.
   */
  undo(user: string, at: string): Promise<MemoryEvent | undefined>
}

export interface MemoryEvent {
  /** Events of one `apply` share it, and are undone together. */
  readonly change: number
  readonly kind: MemoryChange['kind'] | 'supersede' | 'revive' | 'undo'
  readonly memory: string
  /** Its content before and after; undefined where there was no row, or it was erased since. */
  readonly before?: string
  readonly after?: string
  readonly at: string
  readonly undone: boolean
}
