import type { TreeFile } from './git-trees.ts'

/** Versions of contexts as folders of this process, for what reads files. */
export interface ContextCheckouts {
  /**
   * A new folder that holds a version and nothing else. It is there as a whole or not at all, and never changes; throws
   * `damaged` where the files are not those of the version.
   */
  make(version: string, files: AsyncIterable<readonly TreeFile[]>): Promise<string>
  /** Nobody reads that folder any more. */
  drop(folder: string): Promise<void>
  /** Takes all of them away. */
  close(): Promise<void>
}
