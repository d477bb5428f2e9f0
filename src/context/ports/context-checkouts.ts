import type { TreeFile } from './git-trees.ts'

/** Context versions as local folders, for code that reads files. */
export interface ContextCheckouts {
  /**
   * Creates a folder with exactly one version. It appears atomically and never changes; throws `damaged` if the files
   * do not match the version.
   */
  make(version: string, files: AsyncIterable<readonly TreeFile[]>): Promise<string>
  /** Releases a folder that is no longer read. */
  drop(folder: string): Promise<void>
  /** Removes all folders. */
  close(): Promise<void>
}
