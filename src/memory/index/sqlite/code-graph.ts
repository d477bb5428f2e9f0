import type { CodeOutline } from '../../../retrieval/domain/chunking/code-outline.ts'
import { scopeFilter, type SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import { graphOfOutlines, type StoredOutline } from '../graph-of-outlines.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments } from './documents.ts'
import type { LoadedIndex } from './loaded-index.ts'
import { mustBe, plus, sealOf } from './seal.ts'

/** Reads all outlines for each question: they are few and small, and a lost one is always detected. */
export function openCodeGraph(database: IndexDatabase, loaded: () => Pick<LoadedIndex, 'outlines'>): CodeGraph {
  const pathsWithin = (within: SearchScope['within']): string[] =>
    allDocuments(database)
      .filter((document) => document.origin === 'code' && scopeFilter({ within })(document))
      .map(({ path }) => path)
  return graphOfOutlines({
    all: async (within, holding) =>
      database.look(() => {
        const ours = within && new Set(pathsWithin(within))
        return outlinesOf(database, loaded().outlines).filter(
          (outline) => (ours?.has(outline.path) ?? true) && (!holding || outline[holding.part].includes(holding.text)),
        )
      }),
    paths: async (within) => database.look(() => pathsWithin(within)),
  })
}

/** Stores a file's outline and returns its seal. */
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

/** All outlines. Throws if their seals do not match the tally of the documents. */
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
