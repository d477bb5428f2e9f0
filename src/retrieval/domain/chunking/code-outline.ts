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

/** Something a source file defines. Lines are 1-based, both included, decorators and `export` with them. */
export interface Definition {
  readonly name: string
  readonly kind: DefinitionKind
  /** The names of what it is defined in, outermost first. */
  readonly within: readonly string[]
  readonly startLine: number
  readonly endLine: number
}

/** What a source file defines, asks for and calls, each in the order of the text. */
export interface CodeOutline {
  readonly definitions: readonly Definition[]
  /** Module names, paths and packages as they are written. */
  readonly imports: readonly { readonly module: string; readonly line: number }[]
  /** The last name of each callee: `store.open()` calls `open`. */
  readonly calls: readonly { readonly name: string; readonly line: number }[]
}
