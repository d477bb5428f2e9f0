export interface Trace {
  readonly text: string
  /** Absolute. */
  readonly path: string
}

/** All files below Ken's folder as raw bytes. */
export interface HomeFiles {
  /** Searches the bytes of all files, including databases and their logs, for the texts; reports each pair once. */
  find(texts: readonly string[]): Promise<{ readonly searched: number; readonly traces: readonly Trace[] }>
  /**
   * Replaces the text of a file to which other processes may append at the same time, without losing appended text. An
   * empty text removes the file.
   */
  rewrite(path: string, edit: (text: string) => string): Promise<void>
}
