import { languageOfFile } from '../core/chunking/code-language.ts'
import type { CodeOutline } from '../core/chunking/code-outline.ts'
import type { CodeParser } from '../ports/code-parser.ts'

/** The outline of a source file; undefined for what has none, which is then cut as plain lines. */
export type CutCode = (text: string, path: string) => Promise<CodeOutline | undefined>

export function cutCodeWith(parser: () => Promise<CodeParser>): CutCode {
  return async (text, path) => {
    const language = languageOfFile(path)
    return language === undefined ? undefined : (await parser()).parse(text, language)
  }
}
