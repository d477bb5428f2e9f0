export interface ContextFile {
  readonly path: string
  readonly bytes: number
}

/**
 * What agents may read of a context project: real files inside it that neither `.kenignore` nor Ken's own rules keep back
 * (configuration, environment files, keys, tests/). Secrets are masked in whatever is returned.
 */
export interface ContextFiles {
  /** All of them, sorted by path. */
  list(): Promise<readonly ContextFile[]>
  /** Throws `not_found`, or `forbidden` for a path that may not be read, saying why. */
  read(path: string): Promise<string>
  /** Streams the files whose bytes hold `needle` (all when it is empty), so that a search reads each file once. */
  scan(paths: readonly string[], needle: string): AsyncIterable<{ readonly path: string; readonly text: string }>
}
