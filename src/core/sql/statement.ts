/** What one text of SQL holds, as a real parser of its dialect reads it. */
export interface ParsedSql {
  readonly statements: readonly ParsedStatement[]
  /** Why it could not be read; then there are no statements. */
  readonly error: string | undefined
}

export interface ParsedStatement {
  /** The text to run: the very text that was parsed, so that parser and engine cannot read it differently. */
  readonly sql: string
  /** `query` gives rows of data, `explain` a plan of one, `show` tells of the database or session, `other` is all the rest. */
  readonly kind: 'query' | 'explain' | 'show' | 'other'
  /** The word it begins with, in capitals. */
  readonly verb: string
  /** Everything in it that would change data, the session or the server, in words: `DELETE`, `SELECT INTO`, `FOR UPDATE`. */
  readonly effects: readonly string[]
  /** Files, stages and servers it names in place of a table. */
  readonly externals: readonly string[]
  readonly functions: readonly FunctionUse[]
  /** True when it tells what exists in the database rather than what a table holds. */
  readonly listsCatalogue: boolean
  readonly scope: QueryScope
  readonly names: NameRules
}

export interface FunctionUse {
  /** Lower case, without its schema. */
  readonly name: string
  readonly schema: string | undefined
}

/** How this session turns a written table name into a table. */
export interface NameRules {
  /** Schemas in which a bare table name is looked for. */
  readonly searchPath: readonly string[]
  /** False where `Users` and `users` are the same table. */
  readonly exactCase: boolean
}

/** One SELECT: what it reads from, and every column name written in it outside its own subqueries. */
export interface QueryScope {
  readonly ctes: readonly { readonly name: string; readonly query: QueryScope }[]
  /** True: every CTE sees all of them, itself included. False: each sees those before it. */
  readonly recursive: boolean
  readonly sources: readonly Source[]
  /** Names as written, outermost part first: `['u', 'email']`. */
  readonly columns: readonly (readonly string[])[]
  readonly stars: readonly Star[]
  /** Subqueries that may name this scope's sources. */
  readonly inner: readonly QueryScope[]
  /** Names of the columns it gives; undefined when a star hides them. */
  readonly outputs: readonly string[] | undefined
}

export type Source =
  | { readonly kind: 'table'; readonly name: readonly string[]; readonly alias: string | undefined; readonly renamed: boolean }
  | { readonly kind: 'derived'; readonly query: QueryScope | undefined; readonly alias: string | undefined; readonly lateral: boolean }

/** `*`, `u.*`, and whatever else takes all columns at once. */
export interface Star {
  readonly of: readonly string[]
  readonly except: readonly string[]
}

export const unreadable = (error: string): ParsedSql => ({ statements: [], error })

export const TOO_DEEP = 'it is nested too deeply to be checked'

/** Why a parser or a reader of its tree gave up. A tree can be deeper than the stack that walks it. */
export const whyUnreadable = (error: unknown): string => (error instanceof RangeError ? TOO_DEEP : (error as Error).message)
