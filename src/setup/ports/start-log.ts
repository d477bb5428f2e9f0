import type { FileCopy, StartReceipt } from '../domain/start-receipt.ts'

/** Set-up receipts, one per folder, in Ken's home. */
export interface StartLog {
  /** Undefined if there is none, or none that can be read. */
  find(root: string): Promise<StartReceipt | undefined>
  keep(receipt: StartReceipt): Promise<void>
  /** Ken's lists that do not exist yet. */
  missingLists(): Promise<readonly string[]>
  /**
   * Removes a receipt, and what the set-up left in Ken's home besides its results: lists that it started and that are
   * empty again, locks and caches of the removed record and context project, and the copies of files that are exactly
   * as they were.
   */
  settle(
    receipt: StartReceipt,
    removed: { readonly record: string | undefined; readonly copies: readonly FileCopy[] },
  ): Promise<void>
}
