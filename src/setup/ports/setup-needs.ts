import type { ClientFiles } from './client-files.ts'
import type { Recipient } from './recipients.ts'

/** Configuration of other programs on this machine. */
export interface SetupNeeds {
  readonly clients: ClientFiles
  /** Everybody whom the settings have text sent to. */
  recipients(): Promise<readonly Recipient[]>
}
