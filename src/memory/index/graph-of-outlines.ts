import type { CodeOutline, Definition } from '../../retrieval/domain/chunking/code-outline.ts'
import { importsFile } from '../../retrieval/domain/chunking/imports-file.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { CodeGraph, CodeUse, SymbolPlace } from '../ports/code-graph.ts'

/** Definitions, imports and calls of a file, each as JSON. */
export interface StoredOutline {
  readonly path: string
  readonly definitions: string
  readonly imports: string
  readonly calls: string
}

export interface Outlines {
  /** All outlines, or at least those with a text in one of their parts. */
  all(
    within: SearchScope['within'],
    holding?: { readonly part: 'path' | 'definitions' | 'calls'; readonly text: string },
  ): Promise<readonly StoredOutline[]>
  /** Paths of source files. */
  paths(within: SearchScope['within']): Promise<readonly string[]>
}

/** The code graph of every back end, computed from its stored outlines. */
export function graphOfOutlines({ all, paths }: Outlines): CodeGraph {
  return {
    async symbols(name, limit, within) {
      const named = async (fits: (definition: Definition) => boolean, text: string) =>
        (await all(within, { part: 'definitions', text })).flatMap((outline) => placesIn(outline).filter(fits))
      const exact = await named((definition) => definition.name === name, JSON.stringify(name))
      if (exact.length > 0)
        return exact.sort((a, b) => compare(a.path, b.path) || a.startLine - b.startLine).slice(0, limit)
      const begun = await named((definition) => definition.name.startsWith(name), JSON.stringify(name).slice(0, -1))
      return begun.sort((a, b) => compare(a.name, b.name) || compare(a.path, b.path)).slice(0, limit)
    },
    definedIn: async (path, within) =>
      (await all(within, { part: 'path', text: path }))
        .filter((outline) => outline.path === path)
        .flatMap(placesIn)
        .sort((a, b) => a.startLine - b.startLine),
    callers: async (name, within) =>
      (await all(within, { part: 'calls', text: JSON.stringify(name) }))
        .flatMap((outline) =>
          usesIn(
            outline,
            parse<CodeOutline['calls']>(outline.calls).filter((one) => one.name === name),
          ),
        )
        .sort(byPlace),
    importers: async (path, within) =>
      (await all(within))
        .flatMap((outline) =>
          usesIn(
            outline,
            parse<CodeOutline['imports']>(outline.imports).filter(({ module }) =>
              importsFile(outline.path, module, path),
            ),
          ),
        )
        .sort(byPlace),
    files: async (ending, within) => [
      ...new Set((await paths(within)).filter((path) => path === ending || path.endsWith(`/${ending}`))),
    ],
  }
}

const parse = <T>(text: string): T => JSON.parse(text) as T

const placesIn = ({ path, definitions }: StoredOutline): SymbolPlace[] =>
  parse<Definition[]>(definitions).map(({ name, kind, within, startLine, endLine }) => ({
    name,
    kind,
    within,
    path,
    startLine,
    endLine,
  }))

/** Lines, each with the innermost definition around it. */
function usesIn(outline: StoredOutline, lines: readonly { readonly line: number }[]): CodeUse[] {
  if (lines.length === 0) return []
  const innermost = placesIn(outline).sort((a, b) => b.startLine - a.startLine)
  return lines.map(({ line }) => ({
    path: outline.path,
    line,
    inside: innermost.find(({ startLine, endLine }) => startLine <= line && endLine >= line)?.name,
  }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byPlace = (a: CodeUse, b: CodeUse): number => compare(a.path, b.path) || a.line - b.line
