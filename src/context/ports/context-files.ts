import type { StopSignal } from '../../kernel/domain/stop.ts'

export interface ContextFile {
  readonly path: string
  readonly bytes: number
}

export interface LineSearch {
  /** A regular expression for one line, or the text itself where `literal` is set. */
  readonly pattern: string
  readonly literal: boolean
  readonly matchCase: boolean
  /** Lines to give before and after. */
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
  /** That hold one of the hits. */
  readonly files: number
  readonly more: boolean
}

/**
 * What agents may read of a context project: real files inside it that neither `.kenignore` nor Ken's own rules keep
 * back (configuration, environment files, keys, tests/). Secrets are masked in whatever is returned.
 */
export interface ContextFiles {
  /** All of them below a folder, sorted by path; below the project when it is empty. */
  list(folder: string): Promise<readonly ContextFile[]>
  /** Throws `not_found`, or `forbidden` for a path that may not be read, saying why. */
  read(path: string): Promise<string>
  /**
   * The first lines that fit once secrets are masked, by path and line. Whatever the pattern, it is over in seconds and
   * other work goes on; throws `invalid_input` for a pattern that cannot be used, `unavailable` when it was stopped.
   */
  grep(search: LineSearch, signal?: StopSignal): Promise<FoundLines>
}
