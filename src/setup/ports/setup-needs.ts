import type { ClientFiles } from './client-files.ts'
import type { FindLeftovers } from './leftovers.ts'
import type { Recipient } from './recipients.ts'
import type { StartLog } from './start-log.ts'

/** Configuration of other programs on this machine. */
export interface SetupNeeds {
  readonly clients: ClientFiles
  /** Items that Ken set up outside of client files. */
  readonly leftovers: FindLeftovers
  /** Receipts of set-ups, for their undo. */
  readonly startLog: StartLog
  /** The documentation as static pages, by their addresses in the documentation folder. */
  documentation(): Promise<{ readonly folder: string; readonly pages: readonly string[] }>
  /** All destinations that text is sent to under the current settings. */
  recipients(): Promise<readonly Recipient[]>
}
