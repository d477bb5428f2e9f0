/**
 * Whose a folder is. A workspace is named by one folder: the main working tree of a repository, for all its folders and
 * all its worktrees; the folder itself where there is no repository.
 */
export interface Workspaces {
  /** The folder that names the workspace of a folder; one that is gone names itself. */
  rootOf(folder: string): string
  /** The root of the repository around a folder that is there; undefined outside of one. */
  repositoryOf(folder: string): string | undefined
  /**
   * The repository that a folder belonged to which is gone: the one it lay in, or the only one of `repositories` that
   * had it as a worktree at the time. Undefined when that cannot be told.
   */
  repositoryOfGone(folder: string, at: Date, repositories: readonly string[]): string | undefined
  exists(folder: string): boolean
}
