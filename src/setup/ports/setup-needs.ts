import type { ClientFiles } from './client-files.ts'
import type { Recipient } from './recipients.ts'

/** Configuration of other programs on this machine. */
export interface SetupNeeds {
  readonly clients: ClientFiles
  /** All destinations that text is sent to under the current settings. */
  recipients(): Promise<readonly Recipient[]>
}
