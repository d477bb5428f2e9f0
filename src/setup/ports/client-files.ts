import type { ClientPlaces } from '../domain/client.ts'
import type { FileChange, Mode, PlannedFile } from '../domain/file-change.ts'

export interface ChangeIntent {
  readonly mode: Mode
  /** Files that git tracks may be changed too. */
  readonly allowTracked: boolean
}

export interface AppliedFile {
  readonly path: string
  /** Where the old text lies now; undefined when there was none, or only Ken's own. */
  readonly backup: string | undefined
}

/**
 * The configuration files of coding agents: somebody else's, so nothing is written that was not planned and looked at
 * first.
 */
export interface ClientFiles {
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string
  /** Where the clients keep their files, for a project rooted in a folder. */
  places(project: string): ClientPlaces
  exists(path: string): Promise<boolean>
  /** Whether git keeps a file, or will with the next commit. */
  isKept(path: string): Promise<boolean>
  /**
   * Works out what the changes would do; touches nothing. Throws `forbidden` for a symbolic link or a tracked file,
   * `damaged` for a file that cannot be understood, `conflict` where another program's entry is in the way.
   */
  plan(changes: readonly FileChange[], intent: ChangeIntent): Promise<readonly PlannedFile[]>
  /**
   * Carries a plan out whole or not at all, each file by rename with its mode kept. Throws `conflict` when a file
   * changed since it was planned.
   */
  apply(plan: readonly PlannedFile[]): Promise<readonly AppliedFile[]>
}
