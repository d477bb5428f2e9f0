export type DefinitionKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'implementation'
  | 'constant'
  | 'macro'

/** Something a source file defines. Lines are 1-based and inclusive, with decorators and `export`. */
export interface Definition {
  readonly name: string
  readonly kind: DefinitionKind
  /** The names of the enclosing definitions, outermost first. */
  readonly within: readonly string[]
  readonly startLine: number
  readonly endLine: number
}

/** Definitions, imports and calls of a source file, each in text order. */
export interface CodeOutline {
  readonly definitions: readonly Definition[]
  /** Module names, paths and packages as written. */
  readonly imports: readonly { readonly module: string; readonly line: number }[]
  /** The last name of each callee: `store.open()` calls `open`. */
  readonly calls: readonly { readonly name: string; readonly line: number }[]
}
