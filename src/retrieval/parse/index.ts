import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Language, Parser, Query } from 'web-tree-sitter'
import { AppError } from '../../kernel/domain/errors.ts'
import { hasTooManyIndents } from '../../kernel/system/python-indents.ts'
import type { CodeLanguage } from '../domain/chunking/code-files.ts'
import type { CodeParser } from '../ports/code-parser.ts'
import { readOutline } from './outline.ts'
import { QUERIES } from './queries.ts'

/** Larger files are generated or minified; parsing them blocks everything else for seconds. */
const LARGEST_TEXT = 1_000_000
/** Milliseconds; a file of the largest size takes a quarter of it. Slower files are cut as plain lines. */
const LONGEST_PARSE = 2_000

interface LoadedGrammar {
  readonly parser: Parser
  readonly query: Query
}

/** Tree-sitter in WebAssembly. A grammar is loaded with the first file of its language. */
export function openTreeSitterParser(): CodeParser {
  const grammars = new Map<CodeLanguage, Promise<LoadedGrammar>>()

  function grammarOf(language: CodeLanguage): Promise<LoadedGrammar> {
    const loading = grammars.get(language) ?? loadGrammar(language)
    grammars.set(language, loading)
    return loading
  }

  return {
    async parse(text, language) {
      if (text.length > LARGEST_TEXT || (language === 'python' && hasTooManyIndents(text))) return undefined
      const { parser, query } = await grammarOf(language)
      const started = performance.now()
      const isOver = () => performance.now() - started > LONGEST_PARSE
      const tree = parser.parse(text, null, { progressCallback: isOver })
      if (!tree) {
        // Otherwise the next text would be parsed as the rest of this one.
        parser.reset()
        return undefined
      }
      try {
        const matches = query.matches(tree.rootNode, { progressCallback: isOver })
        return isOver() ? undefined : readOutline(matches)
      } finally {
        tree.delete()
      }
    },
    async close() {
      const loaded = await Promise.allSettled(grammars.values())
      grammars.clear()
      for (const result of loaded) {
        if (result.status === 'rejected') continue
        result.value.query.delete()
        result.value.parser.delete()
      }
    },
  }
}

let runtime: Promise<void> | undefined

async function loadGrammar(name: CodeLanguage): Promise<LoadedGrammar> {
  const { grammar, query } = QUERIES[name]
  try {
    runtime ??= Parser.init()
    await runtime
    const path = createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)
    const language = await Language.load(await readFile(path))
    return { parser: new Parser().setLanguage(language), query: new Query(language, query) }
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `The grammar for ${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: 'Install kenbase again; its package @vscode/tree-sitter-wasm seems to be incomplete.',
        cause,
      },
    )
  }
}
