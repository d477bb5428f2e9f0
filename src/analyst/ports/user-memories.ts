import type { MemoryRow } from '../domain/user-memory/memory-row.ts'

/** One change of memories; several in one call are applied together or not at all. */
export type MemoryChange =
  | { readonly kind: 'add'; readonly row: MemoryRow; readonly supersedes?: string }
  | { readonly kind: 'edit'; readonly id: string; readonly content: string; readonly at: string }
  /** `revive`: the row that the forgotten row had superseded becomes active again. */
  | { readonly kind: 'forget'; readonly id: string; readonly at: string; readonly revive: boolean }
  /** Deletes the row, its words and its content for good, including from the history. */
  | { readonly kind: 'erase'; readonly id: string; readonly at: string }

/** Facts about users and their preferences. Every back end passes test/contract/user-memories.contract.ts. */
export interface UserMemories {
  /** Lists active memories, newest first: the user's own, and those of the project if one is named. */
  active(user: string, project?: string): Promise<readonly MemoryRow[]>
  /** Lists all memories, including superseded and forgotten ones, newest first. */
  all(user: string): Promise<readonly MemoryRow[]>
  /** Finds a memory; undefined for another user's. */
  find(id: string, user: string): Promise<MemoryRow | undefined>
  /**
   * Applies changes in one transaction. A row that supersedes a row of another category, or a missing or inactive row,
   * is added without the link. Throws `not_found` for any other change to a missing row or to another user's row, and
   * `conflict` for an existing id.
   */
  apply(user: string, changes: readonly MemoryChange[]): Promise<void>
  /** Lists events, newest first. */
  history(user: string, id?: string): Promise<readonly MemoryEvent[]>
  /**
   * Undoes the newest change that was not undone yet, as a whole, and returns its first event. Erased content is not
   * restored.
   */
  undo(user: string, at: string): Promise<MemoryEvent | undefined>
}

export interface MemoryEvent {
  /** Number shared by the events of one `apply`, which are undone together. */
  readonly change: number
  readonly kind: MemoryChange['kind'] | 'supersede' | 'revive' | 'undo'
  readonly memory: string
  /** Content of the memory before and after; undefined if there was no row, or it was erased since. */
  readonly before?: string
  readonly after?: string
  readonly at: string
  readonly undone: boolean
}
