import type { CodeParser } from '../retrieval/ports/code-parser.ts'

/** The parser of source files, loaded on first use: most commands never need it. */
export function openCodeParser(): { load(): Promise<CodeParser>; close(): Promise<void> } {
  let parser: Promise<CodeParser> | undefined
  return {
    load: () =>
      (parser ??= import('../retrieval/parse/index.ts').then(({ openTreeSitterParser }) => openTreeSitterParser())),
    close: async () => (await parser?.catch(() => undefined))?.close(),
  }
}
