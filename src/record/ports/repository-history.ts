/** A commit of the line that leads to HEAD by first parents: what each merge brought is one step. */
export interface Commit {
  readonly id: string
  /** When it was committed, e.g. 2026-05-01T10:00:00Z. */
  readonly at: string
}

/** A plain file of a tree. No links and no submodules. */
export interface TreeFile {
  readonly path: string
  /** Equal only for equal bytes; names the text in `texts`. */
  readonly content: string
}

/** A file that a commit took away: to another name, or altogether. */
export interface Move {
  readonly commit: Commit
  readonly from: string
  /** Undefined where it was deleted. */
  readonly to: string | undefined
}

/** What one step of the line to HEAD left of a file. */
export interface Revision {
  readonly commit: Commit
  readonly path: string
  /** Undefined where it was deleted. */
  readonly content: string | undefined
}

/**
 * The past of a git repository. Reads only, asks no remote, and runs nothing that the repository configures. A commit is
 * an id of `line`, or one that `commitNamed` gave.
 */
export interface RepositoryHistory {
  /** Whether the past was cut off when this repository was cloned. */
  readonly isShallow: boolean
  /** The line to HEAD, oldest first; empty before the first commit. */
  line(): Promise<readonly Commit[]>
  /** The place in the line where a revision, or the branch that it is on, left it; undefined where git knows no such revision. */
  placeOf(revision: string): Promise<number | undefined>
  /**
   * The files at or below a path, by path; '' for all. 'now' is the working tree with what is not ignored. Unknown
   * objects, as in a partial clone, are left out.
   */
  files(at: string | 'now', below: string): Promise<readonly TreeFile[]>
  /**
   * The texts of contents that `files` or `revisions` named. Left out: what is no text, larger than a megabyte, a link
   * to large storage, or beyond what one question may read.
   */
  texts(contents: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** Renames and deletions after a commit, oldest first; undefined is from the beginning. */
  moves(since: string | undefined): Promise<readonly Move[]>
  /** What every step of the line made of the files that are wanted, oldest first. */
  revisions(isWanted: (path: string) => boolean): Promise<readonly Revision[]>
  close(): void
}
