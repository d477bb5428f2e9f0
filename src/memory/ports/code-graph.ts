import type { DefinitionKind } from '../../retrieval/domain/chunking/code-outline.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'

export interface SymbolPlace {
  readonly name: string
  readonly kind: DefinitionKind
  /** Enclosing definitions, outermost first. */
  readonly within: readonly string[]
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

/** A line that uses something, and the definition around it. */
export interface CodeUse {
  readonly path: string
  readonly line: number
  readonly inside: string | undefined
}

/** Definitions, calls and imports in the indexed code. Names are matched as written: nothing is resolved by type. */
export interface CodeGraph {
  /** Definitions of a name, or of names that begin with it if none matches exactly; by path and line. */
  symbols(name: string, limit: number, within: SearchScope['within']): Promise<readonly SymbolPlace[]>
  definedIn(path: string, within: SearchScope['within']): Promise<readonly SymbolPlace[]>
  callers(name: string, within: SearchScope['within']): Promise<readonly CodeUse[]>
  importers(path: string, within: SearchScope['within']): Promise<readonly CodeUse[]>
  /** Indexed source files by the end of their path. */
  files(ending: string, within: SearchScope['within']): Promise<readonly string[]>
}
