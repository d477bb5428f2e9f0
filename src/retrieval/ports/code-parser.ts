import type { CodeLanguage } from '../domain/chunking/code-files.ts'
import type { CodeOutline } from '../domain/chunking/code-outline.ts'

/** Parses source files. */
export interface CodeParser {
  /**
   * The outline of a file; if the code is broken, of its readable parts. Undefined if the file is too large to parse
   * and should be treated as plain lines. Throws `unavailable` if the grammar cannot be loaded.
   */
  parse(text: string, language: CodeLanguage): Promise<CodeOutline | undefined>
  close(): Promise<void>
}
