import type { ClientPlaces } from '../domain/client.ts'
import type { FileChange, Mode, PlannedFile } from '../domain/file-change.ts'

export interface ChangeIntent {
  readonly mode: Mode
  /** Whether files tracked by git may also be changed. */
  readonly allowTracked: boolean
}

export interface AppliedFile {
  readonly path: string
  /** Path of the backup; undefined if there was no file, or it was written only by Ken. */
  readonly backup: string | undefined
}

/**
 * The configuration files of coding agents: they belong to other programs, so nothing is written that was not planned
 * and shown first.
 */
export interface ClientFiles {
  /** Node's platform name: `linux`, `darwin`, `win32`. */
  readonly platform: string
  /** The clients' file locations, for a project rooted in a folder. */
  places(project: string): ClientPlaces
  exists(path: string): Promise<boolean>
  /** Whether git tracks a file, or will with the next commit. */
  isKept(path: string): Promise<boolean>
  /**
   * Computes the effect of the changes; writes nothing. Throws `forbidden` for a symbolic link or a tracked file,
   * `damaged` for a file that cannot be parsed, `conflict` if another program's entry is in the way.
   */
  plan(changes: readonly FileChange[], intent: ChangeIntent): Promise<readonly PlannedFile[]>
  /**
   * Applies a plan completely or not at all, each file by rename with its mode kept. Throws `conflict` if a file
   * changed since it was planned.
   */
  apply(plan: readonly PlannedFile[]): Promise<readonly AppliedFile[]>
}
