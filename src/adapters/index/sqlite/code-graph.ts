import type { CodeOutline, Definition } from '../../../core/chunking/code-outline.ts'
import { importsFile } from '../../../core/chunking/imports-file.ts'
import { scopeFilter, type SearchScope } from '../../../core/ranking/indexed-document.ts'
import type { CodeGraph, CodeUse, SymbolPlace } from '../../../ports/code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments } from './documents.ts'
import type { LoadedIndex } from './loaded-index.ts'
import { mustBe, plus, sealOf } from './seal.ts'

/** Reads all outlines for each question: they are few and small beside the text, and none can be lost unseen. */
export function openCodeGraph(database: IndexDatabase, loaded: () => Pick<LoadedIndex, 'outlines'>): CodeGraph {
  const pathsWithin = (within: SearchScope['within']): string[] =>
    allDocuments(database)
      .filter((document) => document.origin === 'code' && scopeFilter({ within })(document))
      .map(({ path }) => path)
  const outlines = <T>(within: SearchScope['within'], take: (outline: StoredOutline) => readonly T[]): T[] =>
    database.look(() => {
      const ours = within && new Set(pathsWithin(within))
      return outlinesOf(database, loaded().outlines)
        .filter(({ path }) => ours?.has(path) ?? true)
        .flatMap(take)
    })
  return {
    async symbols(name, limit, within) {
      const named = (fits: (definition: Definition) => boolean, mark: string) =>
        outlines(within, (outline) => (outline.definitions.includes(mark) ? placesIn(outline).filter(fits) : []))
      const exact = named((definition) => definition.name === name, JSON.stringify(name))
      if (exact.length > 0)
        return exact.sort((a, b) => compare(a.path, b.path) || a.startLine - b.startLine).slice(0, limit)
      const begun = named((definition) => definition.name.startsWith(name), JSON.stringify(name).slice(0, -1))
      return begun.sort((a, b) => compare(a.name, b.name) || compare(a.path, b.path)).slice(0, limit)
    },
    definedIn: async (path, within) =>
      outlines(within, (outline) => (outline.path === path ? placesIn(outline) : [])).sort(
        (a, b) => a.startLine - b.startLine,
      ),
    callers: async (name, within) =>
      outlines(within, (outline) =>
        outline.calls.includes(JSON.stringify(name))
          ? usesIn(
              outline,
              parse<CodeOutline['calls']>(outline.calls).filter((one) => one.name === name),
            )
          : [],
      ).sort(byPlace),
    importers: async (path, within) =>
      outlines(within, (outline) =>
        usesIn(
          outline,
          parse<CodeOutline['imports']>(outline.imports).filter(({ module }) =>
            importsFile(outline.path, module, path),
          ),
        ),
      ).sort(byPlace),
    files: async (ending, within) => [
      ...new Set(
        database.look(() => pathsWithin(within)).filter((path) => path === ending || path.endsWith(`/${ending}`)),
      ),
    ],
  }
}

export interface StoredOutline {
  readonly path: string
  readonly definitions: string
  readonly imports: string
  readonly calls: string
}

/** Stores what a file defines, and gives the seal of it. */
export function putOutline(
  database: IndexDatabase,
  { document, path, outline }: { document: number; path: string; outline: CodeOutline },
): number {
  const row = [
    document,
    path,
    JSON.stringify(outline.definitions),
    JSON.stringify(outline.imports),
    JSON.stringify(outline.calls),
  ]
  const seal = sealOf(...row)
  database.run('INSERT OR REPLACE INTO outline VALUES (?, ?, ?, ?, ?, ?)', ...row, seal)
  return seal
}

/** All of them, whose seals must come to what the documents say. */
export function outlinesOf(database: IndexDatabase, expected: number): StoredOutline[] {
  let tally = 0
  const outlines = (
    database.rows('SELECT document, path, definitions, imports, calls, seal FROM outline') as [
      number,
      string,
      string,
      string,
      string,
      number,
    ][]
  ).map(([document, path, definitions, imports, calls, seal]) => {
    mustBe(sealOf(document, path, definitions, imports, calls), seal, 'the outline of a file is')
    tally = plus(tally, seal)
    return { path, definitions, imports, calls }
  })
  mustBe(tally, expected, 'the outlines of files are')
  return outlines
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

/** Each line with the innermost definition around it. */
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
