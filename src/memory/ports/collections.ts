/** A folder of documents that the user wants in the index. */
export interface Collection {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** A glob, relative to the path. */
  readonly pattern: string
  /** `context`: compiled by `ken sync`; `document`: anything else. */
  readonly origin: 'document' | 'context'
  /** The folder of the workspace it belongs to; if undefined, it is found from everywhere. */
  readonly workspace: string | undefined
}

/**
 * The `collections` of config.yml. Read again on every call, because other processes change the file; its comments are
 * preserved.
 */
export interface Collections {
  /** Sorted by name. Entries that cannot be used are skipped and reported in `faults`. */
  list(): { readonly collections: readonly Collection[]; readonly faults: readonly string[] }
  /**
   * Paths may be relative to `cwd`; returns the saved collection. Throws `conflict` if the name is taken, `not_found`
   * if the folder does not exist.
   */
  add(collection: Collection, cwd: string): Collection
  /** Throws `not_found`. */
  remove(name: string): void
  rename(from: string, to: string): void
}
