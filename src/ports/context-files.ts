export interface ContextFile {
  readonly path: string
  readonly bytes: number
}

/**
 * What agents may read of a context project: real files inside it that neither `.kenignore` nor Ken's own rules keep back
 * (configuration, environment files, keys, tests/). Secrets are masked in whatever is returned.
 */
export interface ContextFiles {
  /** All of them below a folder, sorted by path; below the project when it is empty. */
  list(folder: string): Promise<readonly ContextFile[]>
  /** Throws `not_found`, or `forbidden` for a path that may not be read, saying why. */
  read(path: string): Promise<string>
  /** The text files that `fits` accepts, one after the other; secrets are masked after it has looked. */
  scan(paths: readonly string[], fits: (text: string) => boolean): AsyncIterable<{ readonly path: string; readonly text: string }>
}
