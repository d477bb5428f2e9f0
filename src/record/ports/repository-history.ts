/** A commit of the first-parent line to HEAD: each merge is one step. */
export interface Commit {
  readonly id: string
  /** Commit time, e.g. 2026-05-01T10:00:00Z. */
  readonly at: string
}

/** A plain file of a tree. Never a link or a submodule. */
export interface TreeFile {
  readonly path: string
  /** Equal only for equal bytes; key of the text in `texts`. */
  readonly content: string
}

/** A file that a commit renamed or deleted. */
export interface Move {
  readonly commit: Commit
  readonly from: string
  /** Undefined if it was deleted. */
  readonly to: string | undefined
}

/** A file as of one step of the line to HEAD. */
export interface Revision {
  readonly commit: Commit
  readonly path: string
  /** Undefined if it was deleted. */
  readonly content: string | undefined
}

/**
 * The history of a git repository. Read-only, contacts no remote, and runs nothing that the repository configures. A
 * commit is an id of `line`, or one that `commitNamed` returned.
 */
export interface RepositoryHistory {
  /** Whether the history was truncated when this repository was cloned. */
  readonly isShallow: boolean
  /** The line to HEAD, oldest first; empty before the first commit. */
  line(): Promise<readonly Commit[]>
  /** Position in the line at which a revision, or its branch, diverged; undefined if git has no such revision. */
  placeOf(revision: string): Promise<number | undefined>
  /**
   * The files at or below a path, by path; '' for all. 'now' is the working tree without ignored files. Missing
   * objects, as in a partial clone, are left out.
   */
  files(at: string | 'now', below: string): Promise<readonly TreeFile[]>
  /**
   * The texts of contents that `files` or `revisions` returned. Omits contents that are not text, exceed a megabyte,
   * point to large-file storage, or exceed the limit of one request.
   */
  texts(contents: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** Renames and deletions after a commit, oldest first; undefined means from the beginning. */
  moves(since: string | undefined): Promise<readonly Move[]>
  /** Every revision of the wanted files along the line, oldest first. */
  revisions(isWanted: (path: string) => boolean): Promise<readonly Revision[]>
  close(): void
}
