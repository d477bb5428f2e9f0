/**
 * Maps folders to workspaces. A workspace is named by one folder: for a repository, with all its folders and worktrees,
 * the main working tree; outside a repository, the folder itself.
 */
export interface Workspaces {
  /** The folder that names a folder's workspace; a deleted folder names itself. */
  rootOf(folder: string): string
  /** The root of the repository around an existing folder; undefined outside of one. */
  repositoryOf(folder: string): string | undefined
  /**
   * The repository that a deleted folder belonged to: the repository it was in, or the only one of `repositories` that
   * had it as a worktree at the time. Undefined if that cannot be determined.
   */
  repositoryOfGone(folder: string, at: Date, repositories: readonly string[]): string | undefined
  exists(folder: string): boolean
}
