import type { Browsers } from './browsers.ts'
import type { Files } from './files.ts'
import type { OptionalPackage } from './optional-package.ts'
import type { OwnHome } from './own-home.ts'
import type { WaitingChanges } from './page-changes.ts'

/** The caller's own machine: its files and Ken's home. A team server has none of it. */
export interface MachineNeeds {
  /** The absolute path that a caller means by `~/notes`, `./docs` or `docs`; nothing is looked up. */
  pathNamed(path: string): string
  readonly files: Files
  /**
   * Real paths of the folders that an agent may have indexed: repositories of known projects, and the one that the user
   * started the server in.
   */
  grantedRoots(): Promise<readonly string[]>
  /** Packages that may be left out, and whether they are there. */
  optionalPackages(): readonly OptionalPackage[]
  /** Browsers that may use the pages of the running app. Loaded on first use. */
  browsers(): Promise<Browsers>
  /** Calls from pages of the running app that wait for their code. Loaded on first use. */
  waitingChanges(): Promise<WaitingChanges>
  /** Ken's own folder. Loaded on first use. */
  ownHome(): Promise<OwnHome>
  /** Opens a file in the browser of the person at this machine; `problem` is the reason if it cannot. */
  openInBrowser(path: string): Promise<{ readonly problem: string | undefined }>
  /** The command that starts Ken, to be written into client files: it must still work tomorrow and from any folder. */
  readonly launcher: readonly string[]
}
