import type { MemoryRow } from '../core/user-memory/memory-row.ts'

/** One change of what is remembered; several are made together or not at all. */
export type MemoryChange =
  | { readonly kind: 'add'; readonly row: MemoryRow; readonly supersedes?: string }
  | { readonly kind: 'edit'; readonly id: string; readonly content: string; readonly at: string }
  /** `revive`: the row that it had superseded holds again. */
  | { readonly kind: 'forget'; readonly id: string; readonly at: string; readonly revive: boolean }
  /** Takes the words and the content away for good. */
  | { readonly kind: 'erase'; readonly id: string }

/**
 * What a user said of themselves and how they want things. Every back end passes
 * test/contract/user-memories.contract.ts.
 */
export interface UserMemories {
  /** Those that hold, the newest first: the user's own, and those of the project where one is named. */
  active(user: string, project?: string): Promise<readonly MemoryRow[]>
  /** All of them, also superseded and forgotten ones, the newest first. */
  all(user: string): Promise<readonly MemoryRow[]>
  find(id: string): Promise<MemoryRow | undefined>
  /**
   * In one transaction. A row that supersedes one of another user or category, or one that does not hold, is added
   * without the link. Throws `not_found` for an edit or forget of what is not there.
   */
  apply(changes: readonly MemoryChange[]): Promise<void>
  /** What happened, the newest first; `undo` takes the newest that was not undone back and says what it was. */
  history(user: string, id?: string): Promise<readonly MemoryEvent[]>
  undo(user: string, at: string): Promise<MemoryEvent | undefined>
}

export interface MemoryEvent {
  /** Events of one `apply` share it, and are undone together. */
  readonly change: number
  readonly kind: MemoryChange['kind'] | 'supersede' | 'undo'
  readonly memory: string
  readonly before?: string
  readonly after?: string
  readonly at: string
  readonly undone: boolean
}
