/** What one text of SQL holds, as a real parser of its dialect reads it. */
export interface ParsedSql {
  readonly statements: readonly ParsedStatement[]
  /** Why it could not be read; then there are no statements. */
  readonly error: string | undefined
}

export interface ParsedStatement {
  /** The text to run: the very text that was parsed, so that parser and engine cannot read it differently. */
  readonly sql: string
  /**
   * `query` gives rows of data, `explain` a plan of one, `show` tells of the database or session, `other` is all the
   * rest.
   */
  readonly kind: 'query' | 'explain' | 'show' | 'other'
  /** The word it begins with, in capitals. */
  readonly verb: string
  /**
   * Everything in it that would change data, the session or the server, in words: `DELETE`, `SELECT INTO`, `FOR
   * UPDATE`.
   */
  readonly effects: readonly string[]
  /** Files, stages and servers it names in place of a table. */
  readonly externals: readonly string[]
  readonly functions: readonly FunctionUse[]
  /** Types that values are cast to. */
  readonly types: readonly string[]
  /** True when it tells what exists in the database rather than what a table holds. */
  readonly listsCatalogue: boolean
  readonly scope: QueryScope
  readonly names: NameRules
}

export interface FunctionUse {
  /** As the engine compares it: lower case, except where quotes keep capitals. */
  readonly name: string
  readonly schema: string | undefined
  /** `rows`: it stands where a table stands. */
  readonly place?: 'value' | 'rows'
}

/** How this session turns a written name into a table or a function. */
export interface NameRules {
  /** Schemas in which a bare table name is looked for. */
  readonly searchPath: readonly string[]
  /** False where `Users` and `users` are the same table. */
  readonly exactCase: boolean
  /**
   * Functions and macros that people made in this database, as calls name them: one of them may bear the name of a
   * built-in.
   */
  readonly ownFunctions: readonly string[]
  /**
   * Tables whose rows are a type of the same name, so that a cast tells their columns; none where no engine has such
   * types.
   */
  readonly rowTypes?: readonly string[]
}

/**
 * One SELECT or one set operation: what it reads from, and every column name written in it outside its own subqueries.
 */
export interface QueryScope {
  readonly ctes: readonly CommonTable[]
  /** The sides of a set operation, in order; none for a SELECT. */
  readonly branches: readonly QueryScope[]
  readonly sources: readonly FromItem[]
  readonly columns: readonly ColumnUse[]
  readonly stars: readonly Star[]
  /** Subqueries that may name this scope's sources. */
  readonly inner: readonly Subquery[]
  readonly outputs: readonly Output[]
}

export interface CommonTable {
  readonly name: string
  /** `AS x (a, b)`. */
  readonly columns: readonly string[]
  readonly query: QueryScope
  /** Where its own name means itself: everywhere in it, in the last side of its set operation, or nowhere. */
  readonly seesSelf: 'all' | 'last' | 'none'
  /** True where it also sees those that follow it in the same WITH. */
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
  /** Rows out of a function or of nothing. `offers` is undefined when its columns are not known. */
  | { readonly kind: 'made'; readonly alias: string | undefined; readonly offers: readonly string[] | undefined }

/** `*`, `u.*`, and whatever else takes all columns at once. */
export interface Star {
  readonly of: readonly string[]
  readonly except: readonly string[]
}

/** One column of a result, or a star; the name is undefined when it is not sure what the engine calls it. */
export type Output = { readonly name: string | undefined } | { readonly star: Star }

export const unreadable = (error: string): ParsedSql => ({ statements: [], error })

export const TOO_DEEP = 'it is nested too deeply to be checked'

/** Why a parser or a reader of its tree gave up. A tree can be deeper than the stack that walks it. */
export const whyUnreadable = (error: unknown): string =>
  error instanceof RangeError ? TOO_DEEP : (error as Error).message
