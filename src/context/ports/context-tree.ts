import type { Manifest, ManifestEntry } from '../domain/context-project/manifest.ts'

/**
 * The folder that a build writes to. Paths are relative, with forward slashes; one that leaves the folder, also through
 * a symbolic link, throws `forbidden`. Readers see a file as it was or as it is, never half of it.
 */
export interface ContextTree {
  readonly root: string
  /** Runs a build; throws `conflict` when another one is running here. */
  exclusively<T>(build: () => Promise<T>): Promise<T>
  /** As it was saved last; what an interrupted build had begun to write is marked as unfinished. */
  load(): Promise<Manifest>
  /** Notes what is about to be written, so that a build that is cut off still owns it. */
  claim(entry: ManifestEntry): Promise<void>
  save(manifest: Manifest): Promise<void>
  /** Size in bytes; undefined when there is no such file. An empty file counts as none: a power cut leaves those. */
  size(path: string): Promise<number | undefined>
  read(path: string): Promise<string | undefined>
  write(path: string, text: string): Promise<void>
  /** Takes a file away, and the folders that are empty then. */
  remove(path: string): Promise<void>
}
