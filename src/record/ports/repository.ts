/** One changed file of a diff: lines that were added and taken away. */
export interface ChangedFile {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly previousPath: string | undefined
  readonly added: readonly { readonly line: number; readonly text: string }[]
  readonly removed: readonly string[]
  /** Too much to read in full: lines, or parts of them, are left out. A binary file has no lines and is not cut. */
  readonly cut: boolean
}

export interface Commit {
  readonly id: string
  /** When it was committed, in milliseconds; git keeps whole seconds. */
  readonly at: number
}

export interface Commits {
  /** What a hash, a short one, a branch, a tag or `HEAD~3` stands for; undefined for what git does not know here. */
  named(revision: string): Promise<Commit | undefined>
}

/** A git repository. Reads only, except `configure`. */
export interface Repository {
  readonly root: string
  readonly commits: Commits
  /** The commit checked out; undefined before the first one. */
  head(): Promise<string | undefined>
  /**
   * What the index and the working tree change against HEAD, or, with a revision, since this branch left it. By path;
   * untracked files that are not ignored count as added. Throws `not_found` for an unknown revision.
   */
  diff(base: string | undefined): Promise<readonly ChangedFile[]>
  /**
   * The text of a file as it is now, or as it was where `diff` with the same base begins. Undefined where there is none,
   * and for what is no text, a link or larger than a megabyte.
   */
  text(path: string, at: 'now' | { readonly base: string | undefined }): Promise<string | undefined>
  /**
   * The day, e.g. 2026-05-01, of the commit that brought each file below a folder in, by its path below that folder; a
   * file that was renamed inside it keeps its day. Empty for a folder outside the repository.
   */
  addedOn(folder: string): Promise<ReadonlyMap<string, string>>
  isTracked(path: string): Promise<boolean>
  /** Those of the paths, folders and globs that cover no file of the working tree. */
  withoutFiles(patterns: readonly string[]): Promise<readonly string[]>
  /** A key of git's configuration as it holds here; undefined when it is not set. */
  setting(key: string): Promise<string | undefined>
  /** Sets a key of the repository's own configuration; undefined unsets it. */
  configure(key: string, value: string | undefined): Promise<void>
}
