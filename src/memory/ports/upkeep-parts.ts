import type { HomeFiles } from '../../kernel/ports/home-files.ts'
import type { Lease } from '../../kernel/ports/lease.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { Watcher } from '../../kernel/ports/watcher.ts'
import type { Workspaces } from '../../kernel/ports/workspaces.ts'
import type { Harvester } from './harvester.ts'
import type { IndexSpace } from './index-space.ts'
import type { SessionArchive } from './session-archive.ts'
import type { State } from './state.ts'
import type { UseLog } from './use-log.ts'
import type { WatchPost } from './watch-post.ts'

/** Dependencies of harvest, upkeep and forgetting besides the memory itself. */
export interface UpkeepParts {
  readonly home: string
  readonly notesFolder: string
  /** The user's home, which contains the agent logs to read. */
  readonly userHome: string
  /** The folders of the repositories that are registered on this machine. */
  repositories(): Promise<readonly string[]>
  readonly harvesters: readonly Harvester[]
  readonly archive: SessionArchive
  readonly homeFiles: HomeFiles
  readonly state: State
  readonly uses: UseLog
  readonly redactor: Redactor
  readonly space: IndexSpace
  readonly watcher: Watcher
  /** For client folders, which contain many files. */
  readonly sessionWatcher: Watcher
  readonly workspaces: Workspaces
  /** Held while writing or removing session files, so that an older copy never replaces a newer one. */
  readonly lease: Lease
  /** Held while a process maintains the memory, so that only one process does so. */
  readonly maintainer: Lease
  readonly post: WatchPost
}
