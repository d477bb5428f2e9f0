/** Statements in a SQL text, as parsed by a real parser of its dialect. */
export interface ParsedSql {
  readonly statements: readonly ParsedStatement[]
  /** Why it could not be read; then `statements` is empty. */
  readonly error: string | undefined
}

export interface ParsedStatement {
  /** Text to run: exactly the text that was parsed, so that parser and engine cannot read it differently. */
  readonly sql: string
  /** `query` returns rows, `explain` a plan of one, `show` describes the database or session, `other` is the rest. */
  readonly kind: 'query' | 'explain' | 'show' | 'other'
  /** Its first word, in upper case. */
  readonly verb: string
  /** Everything in it that would change data, the session or the server: `DELETE`, `SELECT INTO`, `FOR UPDATE`. */
  readonly effects: readonly string[]
  /** Files, stages and servers that the statement names in place of a table. */
  readonly externals: readonly string[]
  readonly functions: readonly FunctionUse[]
  /** Cast target types. */
  readonly types: readonly string[]
  /** True if it reveals which objects exist in the database rather than the content of a table. */
  readonly listsCatalogue: boolean
  readonly scope: QueryScope
  readonly names: NameRules
}

export interface FunctionUse {
  /** Name as the engine compares it: lower case, unless quotes keep capitals. */
  readonly name: string
  readonly schema: string | undefined
  /** `rows`: used in place of a table. */
  readonly place?: 'value' | 'rows'
}

/** How this session resolves a name to a table or a function. */
export interface NameRules {
  /** Schemas searched for a bare table name. */
  readonly searchPath: readonly string[]
  /** False if `Users` and `users` are the same table. */
  readonly exactCase: boolean
  /** User-defined functions and macros in this database, as calls name them; one may have the name of a built-in. */
  readonly ownFunctions: readonly string[]
  /**
   * Tables with a row type of the same name, so that a cast reveals their columns; none if the engine has no such
   * types.
   */
  readonly rowTypes?: readonly string[]
}

/** One SELECT or one set operation: its sources, and every column name in it outside its subqueries. */
export interface QueryScope {
  readonly ctes: readonly CommonTable[]
  /** Branches of a set operation, in order; none for a SELECT. */
  readonly branches: readonly QueryScope[]
  readonly sources: readonly FromItem[]
  readonly columns: readonly ColumnUse[]
  readonly stars: readonly Star[]
  /** Subqueries that may refer to this scope's sources. */
  readonly inner: readonly Subquery[]
  readonly outputs: readonly Output[]
}

export interface CommonTable {
  readonly name: string
  /** `AS x (a, b)`. */
  readonly columns: readonly string[]
  readonly query: QueryScope
  /** Where a CTE's name refers to the CTE itself: everywhere, in the last branch of its set operation, or nowhere. */
  readonly seesSelf: 'all' | 'last' | 'none'
  /** True if it also sees later ones in the same WITH. */
  readonly seesLater: boolean
}

/** A name as written, outermost part first: `['u', 'email']`. */
export interface ColumnUse {
  readonly path: readonly string[]
  /** True in a join condition, which may not see all sources of its SELECT. */
  readonly seesPart: boolean
}

export interface Subquery {
  readonly query: QueryScope
  readonly seesPart: boolean
}

export type FromItem =
  | {
      readonly kind: 'table'
      readonly name: readonly string[]
      readonly alias: string | undefined
      readonly columns: readonly string[]
    }
  | {
      readonly kind: 'derived'
      readonly query: QueryScope
      readonly alias: string | undefined
      readonly columns: readonly string[]
    }
  /** Rows from a function or without a source. `offers` is undefined if its columns are unknown. */
  | { readonly kind: 'made'; readonly alias: string | undefined; readonly offers: readonly string[] | undefined }

/** `*`, `u.*`, and anything else that reads all columns at once. */
export interface Star {
  readonly of: readonly string[]
  readonly except: readonly string[]
}

/** Result column or star; the name is undefined if the engine's name for it is uncertain. */
export type Output = { readonly name: string | undefined } | { readonly star: Star }

export const unreadable = (error: string): ParsedSql => ({ statements: [], error })

export const TOO_DEEP = 'it is nested too deeply to be checked'

/** Why a parser or tree reader failed. A tree can be deeper than the stack that walks it. */
export const whyUnreadable = (error: unknown): string =>
  error instanceof RangeError ? TOO_DEEP : (error as Error).message
