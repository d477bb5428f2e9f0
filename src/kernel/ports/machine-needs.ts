import type { Browsers } from './browsers.ts'
import type { Files } from './files.ts'
import type { OptionalPackage } from './optional-package.ts'
import type { OwnHome } from './own-home.ts'
import type { WaitingChanges } from './page-changes.ts'

/** The caller's machine: its files and Ken's home. Not available on a team server. */
export interface MachineNeeds {
  /** Absolute path for `~/notes`, `./docs` or `docs`; does not access the file system. */
  pathNamed(path: string): string
  readonly files: Files
  /**
   * Real paths of the folders that an agent may index: repositories of known projects, and the repository that the user
   * started the server in.
   */
  grantedRoots(): Promise<readonly string[]>
  /** Optional packages, and whether they are installed. */
  optionalPackages(): readonly OptionalPackage[]
  /** Browsers that may use the pages of the running app. Loaded on first use. */
  browsers(): Promise<Browsers>
  /** Calls from pages of the running app that wait for their code. Loaded on first use. */
  waitingChanges(): Promise<WaitingChanges>
  /** Ken's folder. Loaded on first use. */
  ownHome(): Promise<OwnHome>
  /** Opens a file in the browser of the person at this machine; `problem` is the reason if that fails. */
  openInBrowser(path: string): Promise<{ readonly problem: string | undefined }>
  /** Command that starts Ken, to be written into client files: it must keep working, from any folder. */
  readonly launcher: readonly string[]
}
