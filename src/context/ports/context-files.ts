import type { StopSignal } from '../../kernel/domain/stop.ts'

export interface ContextFile {
  readonly path: string
  readonly bytes: number
}

export interface LineSearch {
  /** Regular expression for one line, or literal text if `literal` is set. */
  readonly pattern: string
  readonly literal: boolean
  readonly matchCase: boolean
  /** Lines to include before and after. */
  readonly context: number
  readonly limit: number
  accepts(path: string): boolean
}

export interface FoundLine {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface FoundLines {
  readonly hits: readonly FoundLine[]
  /** Number of files with a hit. */
  readonly files: number
  readonly more: boolean
}

/**
 * Files of a context project that agents may read: real files inside it that neither `.kenignore` nor Ken's own rules
 * exclude (configuration, environment files, keys, tests/). Secrets are masked in everything returned.
 */
export interface ContextFiles {
  /** All files below a folder, sorted by path; below the project if it is empty. */
  list(folder: string): Promise<readonly ContextFile[]>
  /** Throws `not_found`, or `forbidden` with the reason for a path that may not be read. */
  read(path: string): Promise<string>
  /**
   * First matching lines after secrets are masked, by path and line. Any pattern finishes in seconds without blocking
   * other work; throws `invalid_input` for an invalid pattern, `unavailable` if it was stopped.
   */
  grep(search: LineSearch, signal?: StopSignal): Promise<FoundLines>
}
