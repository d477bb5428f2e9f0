import type { DefinitionKind } from '../../retrieval/domain/chunking/code-outline.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'

export interface SymbolPlace {
  readonly name: string
  readonly kind: DefinitionKind
  /** What it is defined in, outermost first. */
  readonly within: readonly string[]
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

/** A line that uses something, and the definition it stands in. */
export interface CodeUse {
  readonly path: string
  readonly line: number
  readonly inside: string | undefined
}

/**
 * Who defines, calls and imports what, in the code that was indexed. Names are taken as written: nothing is resolved by
 * type.
 */
export interface CodeGraph {
  /** Definitions of a name, or of names that begin with it when none is exactly that; by path and line. */
  symbols(name: string, limit: number, within: SearchScope['within']): Promise<readonly SymbolPlace[]>
  /** Definitions in a file. */
  definedIn(path: string, within: SearchScope['within']): Promise<readonly SymbolPlace[]>
  callers(name: string, within: SearchScope['within']): Promise<readonly CodeUse[]>
  importers(path: string, within: SearchScope['within']): Promise<readonly CodeUse[]>
  /** Indexed source files whose path ends in this. */
  files(ending: string, within: SearchScope['within']): Promise<readonly string[]>
}
