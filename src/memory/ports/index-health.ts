import type { IndexDamaged } from '../../retrieval/domain/index-damaged.ts'

/** Whether an index may be queried, and how to restore it. */
export interface IndexHealth {
  /** Throws `IndexDamaged` when the index cannot be opened, has lost changes, or is being rebuilt. */
  check(): Promise<void>
  /**
   * Replaces a damaged index with an empty one, which is then filled and finished. An index that is already waiting to
   * be filled is kept.
   */
  renew(damage: IndexDamaged): Promise<void>
  /** Marks the index as complete again. */
  finish(): Promise<void>
}
