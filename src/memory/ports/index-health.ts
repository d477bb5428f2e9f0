import type { IndexDamaged } from '../../retrieval/domain/index-damaged.ts'

/** Whether an index may be asked, and the way back when not. */
export interface IndexHealth {
  /** Throws `IndexDamaged` when the index cannot be opened, has lost changes, or is being rebuilt. */
  check(): Promise<void>
  /**
   * Puts an empty index in the place of a damaged one, to be filled and finished. One that waits to be filled stays as
   * it is.
   */
  renew(damage: IndexDamaged): Promise<void>
  /** Says that everything is in it again. */
  finish(): Promise<void>
}
