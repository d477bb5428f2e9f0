import type { CodeLanguage } from '../domain/chunking/code-files.ts'
import type { CodeOutline } from '../domain/chunking/code-outline.ts'

/** Reads source files by their syntax. */
export interface CodeParser {
  /**
   * The outline of a file. Broken code gives what can be read of it; undefined means that the file is too large to
   * parse and should be treated as plain lines. Throws `unavailable` when the grammar cannot be loaded.
   */
  parse(text: string, language: CodeLanguage): Promise<CodeOutline | undefined>
  close(): Promise<void>
}
