import type { MachineContext } from '../../kernel/ports/machine-context.ts'
import type { ClientFiles } from './client-files.ts'
import type { Recipient } from './recipients.ts'

/** What setting Ken up works with. */
export interface SetupContext extends MachineContext {
  readonly clients: ClientFiles
  /** Everybody whom the settings have text sent to. */
  recipients(): Promise<readonly Recipient[]>
}
