import type { Manifest, ManifestEntry } from '../domain/context-project/manifest.ts'

/**
 * Folder that a build writes to. Paths are relative, with forward slashes; a path that leaves the folder, including
 * through a symbolic link, throws `forbidden`. Writes are atomic for readers.
 */
export interface ContextTree {
  readonly root: string
  /** Runs a build; throws `conflict` if another one is running here. */
  exclusively<T>(build: () => Promise<T>): Promise<T>
  /**
   * Last saved manifest; partial output of an interrupted build is marked as unfinished. With `names`, at least the
   * tables with one of them, in any case: that takes memory for these only, however large the context is.
   */
  load(names?: readonly string[]): Promise<Manifest>
  /** Records an entry before its files are written, so that they still belong to it after an interrupted build. */
  claim(entry: ManifestEntry): Promise<void>
  save(manifest: Manifest): Promise<void>
  /**
   * Size in bytes; undefined if there is no such file. An empty file counts as missing, because a power cut leaves such
   * files.
   */
  size(path: string): Promise<number | undefined>
  read(path: string): Promise<string | undefined>
  write(path: string, text: string): Promise<void>
  /** Removes a file, and folders that become empty. */
  remove(path: string): Promise<void>
}
