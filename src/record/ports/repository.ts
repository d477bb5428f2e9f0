/** One changed file of a diff, with added and removed lines. */
export interface ChangedFile {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly previousPath: string | undefined
  readonly added: readonly { readonly line: number; readonly text: string }[]
  readonly removed: readonly string[]
  /**
   * True if too large to read in full: lines, or parts of them, are left out. A binary file has no lines and is not
   * cut.
   */
  readonly cut: boolean
}

export interface Commit {
  readonly id: string
  /** Commit time in milliseconds; git keeps whole seconds. */
  readonly at: number
}

export interface Commits {
  /** Resolves a full or short hash, a branch, a tag or `HEAD~3`; undefined if the repository has no such revision. */
  named(revision: string): Promise<Commit | undefined>
  /** The newest tag named like a version (`v1.2.0`), and its commit; undefined if there is none. */
  lastVersion(): Promise<(Commit & { readonly name: string }) | undefined>
}

/** A git repository. Read-only, except `configure`. */
export interface Repository {
  readonly root: string
  /** The folder for which it was opened, relative to the root; `.` for the root. */
  readonly folder: string
  readonly commits: Commits
  /** The checked-out commit; undefined before the first one. */
  head(): Promise<string | undefined>
  /**
   * Changes of the index and the working tree against HEAD or, with a revision, since this branch diverged from it.
   * Sorted by path; untracked files that are not ignored count as added. Throws `not_found` for an unknown revision.
   */
  diff(base: string | undefined): Promise<readonly ChangedFile[]>
  /**
   * The text of a file now, or at the start of a `diff` with the same base. Undefined if it does not exist, is not
   * text, is a link or is larger than a megabyte.
   */
  text(path: string, at: 'now' | { readonly base: string | undefined }): Promise<string | undefined>
  /**
   * The day, e.g. 2026-05-01, of the commit that added each file below a folder, by its path below that folder; a file
   * renamed inside it keeps its day. Empty for a folder outside the repository.
   */
  addedOn(folder: string): Promise<ReadonlyMap<string, string>>
  isTracked(path: string): Promise<boolean>
  /** The paths, folders and globs that match no file of the working tree. */
  withoutFiles(patterns: readonly string[]): Promise<readonly string[]>
  /** Value of a key in git's effective configuration here; undefined if it is not set. */
  setting(key: string): Promise<string | undefined>
  /** Sets a key in the configuration of this repository; undefined unsets it. */
  configure(key: string, value: string | undefined): Promise<void>
}
