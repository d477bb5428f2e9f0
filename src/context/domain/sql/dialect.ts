import type { LexRules, Token } from './lex.ts'

/** Everything the SQL gate needs about one dialect. Each dialect is in the folder of its warehouse. */
export interface SqlDialect {
  /** Name in ken.yaml. */
  readonly name: string
  /** The engine bills the bytes that a statement reads. */
  readonly billsBytes?: boolean
  /**
   * Expression from which to select about `rows` rows of a table, if possible without reading the rest and with the
   * same rows every time. Omitted if the engine cannot sample.
   */
  sampled?(table: string, rows: number, of: number): string
  readonly names: NameTraits
  readonly functions: KnownFunctions
  role(parts: RoleParts): ReaderRole
  readonly spelling: Spelling
}

/** Percentage for engines that sample by percentage. Slightly more than needed, because blocks are not equally full. */
export const samplePercent = (rows: number, of: number): string =>
  Math.min(100, Math.max(0.0001, (rows / of) * 110)).toFixed(4)

/** Engine-specific SQL in the statements that Ken itself sends. */
export interface Spelling {
  /** First rows of a query that begins with SELECT. */
  firstRows(select: string, count: number): string
  /** Value of any type as text, so that it can be counted and compared. */
  asText(column: string, type: string): string
  asDouble(column: string): string
  /** Sample standard deviation; undefined if the engine has none. */
  standardDeviation(expression: string): string | undefined
  /** Remainder of integers. */
  remainder(dividend: string, divisor: string): string
  readonly sampling: Sampling
  /**
   * Makes the engine plan a query without running it, so that a mistake costs nothing; omitted if planning reports
   * fewer mistakes.
   */
  explained?(query: string): string
  /** The placeholder of a bound value, counted from 1; omitted if the adapter cannot bind values. */
  placeholder?(at: number): string
}

/** How an engine returns some rows of a large table without sorting it, always the same rows. */
export interface Sampling {
  /** An index finds the next row after a key in a few pages, regardless of the table's size. */
  readonly seeks?: boolean
  /** Integer that every row has but that is not a column. */
  readonly rowAddress?: string
  /** Some blocks of a table, always the same blocks. */
  blocks?(table: string, percent: number): string
  /** Condition met by one row in `buckets`, by a hash of these texts, none of which is null. */
  bucket?(texts: readonly string[], buckets: number): string
}

/** Concatenates texts for a hash. */
export const concatenated = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `CONCAT(${texts.join(", '|', ")})`

/** Default spelling: most engines differ only in two type names. */
export const spelling = ({ text, double, ...own }: { text: string; double: string } & Partial<Spelling>): Spelling => ({
  firstRows: (select, count) => `${select} LIMIT ${count}`,
  asText: (column) => `CAST(${column} AS ${text})`,
  asDouble: (column) => `CAST(${column} AS ${double})`,
  standardDeviation: (expression) => `STDDEV_SAMP(${expression})`,
  remainder: (dividend, divisor) => `${dividend} % ${divisor}`,
  sampling: {},
  ...own,
})

/** Functions of a dialect that are known only to compute, in lower case. */
export interface KnownFunctions {
  readonly values: ReadonlySet<string>
  /** Table functions. */
  readonly rows: ReadonlySet<string>
  /** Schemas that contain only built-in functions. */
  readonly schemas: readonly string[]
  /** Suffix to strip from a name; the rest must be known. */
  readonly ending: RegExp | undefined
}

export interface RoleParts {
  readonly tables: readonly RoleTable[]
  quote(identifier: string): string
}

/** Table with its readable and unreadable columns. */
export interface RoleTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * Statements that a privileged person runs once, so that the engine itself restricts Ken to the context; or why there
 * are none.
 */
export type ReaderRole = { readonly sql: readonly string[] } | { readonly instead: string }

/** Meanings of a name in a dialect beyond table and column. */
export interface NameTraits {
  /** `a.b` may be field b of column a. */
  readonly fields: boolean
  /** `t.f` may call the function f with a row of t. */
  readonly attributeCalls: boolean
  /** `x.t` may be table t of database x. */
  readonly databaseBeforeTable: boolean
  /** Schemas whose tables take precedence if a name has no schema. */
  readonly hiddenSchema: RegExp | undefined
  /** A server setting decides whether `Users` and `users` are the same. */
  readonly caseBySetting: boolean
  /** Columns that the engine adds and that reveal nothing about a hidden one. */
  readonly addedColumns: readonly string[]
  /** Aliases that the engine adds for a declared column, which may be a hidden one. */
  readonly secondNames: readonly string[]
}

export const PLAIN_NAMES: NameTraits = {
  fields: true,
  attributeCalls: false,
  databaseBeforeTable: false,
  hiddenSchema: undefined,
  caseBySetting: false,
  addedColumns: [],
  secondNames: [],
}

/** Dialect parsed by sqlparser-rs, because its engine has no parser that runs here. */
export interface ParsedDialect extends SqlDialect {
  readonly grammar: Grammar
}

/** Token rules of a dialect, and its differences from sqlparser-rs. */
export interface Grammar {
  readonly lex: LexRules
  /** Name in sqlparser-rs. */
  readonly parser: string
  /** `FROM t a, a.items i` unnests a column instead of naming a table. */
  readonly pathsInFrom: boolean
  /** A CTE may name itself without the word RECURSIVE. */
  readonly recursiveByNature: boolean
  /** Branches in which the name of a recursive CTE never means a table. */
  readonly seesSelf: 'all' | 'last'
  /** Unquoted names are folded to upper case; quoted ones are distinct. */
  readonly foldsUp: boolean
  /** Server variables that reveal no table and no user setting. */
  readonly variables: readonly string[]
  readonly exactCase: boolean
  /** Whether EXPLAIN, DESCRIBE and SHOW exist; otherwise such a text would call a procedure of that name. */
  readonly explains: boolean
  /**
   * Reserved words that no read contains. T-SQL needs no semicolon, so a parser may take `SELECT 1 DELETE FROM t` for
   * an alias.
   */
  readonly never: readonly string[]
  /** Whether a name in place of a table is a file, a stage or a table on another server. */
  isExternal(name: readonly string[]): boolean
  /** Rewrites syntax that the parser does not know; the engine gets the original. */
  respell(tokens: readonly Token[]): readonly Token[]
}

export const STANDARD_LEX: LexRules = {
  lineComments: ['--'],
  dashNeedsSpace: false,
  nestedComments: false,
  stringQuotes: "'",
  nameQuotes: '"',
  backslash: 'plain',
  tripleQuotes: false,
  dollarQuotes: false,
  rawStrings: undefined,
}

/** For quick scans only; the gate judges the output of a real parser. */
export const lexRulesOf = (dialect: SqlDialect): LexRules =>
  'grammar' in dialect
    ? (dialect as ParsedDialect).grammar.lex
    : { ...STANDARD_LEX, nestedComments: true, dollarQuotes: true }

export const PLAIN_GRAMMAR: Omit<Grammar, 'parser' | 'lex'> = {
  pathsInFrom: false,
  recursiveByNature: false,
  seesSelf: 'last',
  foldsUp: false,
  variables: [],
  exactCase: false,
  explains: true,
  never: ['INTO'],
  isExternal: () => false,
  respell: (tokens) => tokens,
}
