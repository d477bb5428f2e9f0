import type { LexRules, Token } from './lex.ts'

/** All that the SQL gate must know of one dialect. Each lives in the folder of its warehouse. */
export interface SqlDialect {
  /** What ken.yaml calls it. */
  readonly name: string
  /** The engine bills the bytes that a statement reads. */
  readonly billsBytes?: boolean
  /**
   * What to select from for about `rows` rows out of all of a table, without reading the rest where the engine can;
   * the same ones every time where it can. Left out: it has no such thing.
   */
  sampled?(table: string, rows: number, of: number): string
  readonly names: NameTraits
  readonly functions: KnownFunctions
  role(parts: RoleParts): ReaderRole
  readonly spelling: Spelling
}

/** A percentage for engines that sample by one. Blocks are not equally full, so a little more is asked for. */
export const samplePercent = (rows: number, of: number): string =>
  Math.min(100, Math.max(0.0001, (rows / of) * 110)).toFixed(4)

/** What engines spell differently in the statements that Ken itself sends. */
export interface Spelling {
  /** The first rows of a query that begins with SELECT. */
  firstRows(select: string, count: number): string
  /** A value of any type as text, so that it can be counted and compared. */
  asText(column: string, type: string): string
  asDouble(column: string): string
  /** Of a sample; undefined where the engine has none. */
  standardDeviation(expression: string): string | undefined
  /** Of whole numbers. */
  remainder(dividend: string, divisor: string): string
  readonly sampling: Sampling
  /** Has the engine plan a query and not run it, so that a slip costs nothing; left out where that says less. */
  explained?(query: string): string
}

/** How an engine gives some rows of a large table without sorting it, and the same ones every time. */
export interface Sampling {
  /** An index finds the next row behind a key in a few pages, however large the table is. */
  readonly seeks?: boolean
  /** A whole number that every row of a table has without being a column. */
  readonly rowAddress?: string
  /** Some blocks of a table, always the same ones. */
  blocks?(table: string, percent: number): string
  /** A condition that one row among `buckets` meets, by a hash of these texts, none of which is null. */
  bucket?(texts: readonly string[], buckets: number): string
}

/** Several texts as one, for a hash. */
export const concatenated = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `CONCAT(${texts.join(", '|', ")})`

/** Most engines differ only in the names of two types. */
export const spelling = ({ text, double, ...own }: { text: string; double: string } & Partial<Spelling>): Spelling => ({
  firstRows: (select, count) => `${select} LIMIT ${count}`,
  asText: (column) => `CAST(${column} AS ${text})`,
  asDouble: (column) => `CAST(${column} AS ${double})`,
  standardDeviation: (expression) => `STDDEV_SAMP(${expression})`,
  remainder: (dividend, divisor) => `${dividend} % ${divisor}`,
  sampling: {},
  ...own,
})

/** The functions of a dialect that are known only to compute, in lower case. */
export interface KnownFunctions {
  readonly values: ReadonlySet<string>
  /** Those that stand where a table stands. */
  readonly rows: ReadonlySet<string>
  /** Schemas that hold the engine's own functions only. */
  readonly schemas: readonly string[]
  /** Takes an ending off a name: what is left must be known. */
  readonly ending: RegExp | undefined
}

export interface RoleParts {
  readonly tables: readonly RoleTable[]
  quote(identifier: string): string
}

/** A table with the columns that may be read, and those that may not. */
export interface RoleTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * What a person with the rights runs once, so that the engine itself keeps Ken to the context; or why there is nothing
 * to run.
 */
export type ReaderRole = { readonly sql: readonly string[] } | { readonly instead: string }

/** What a dialect lets a name mean beyond table and column. */
export interface NameTraits {
  /** `a.b` may be field b of column a. */
  readonly fields: boolean
  /** `t.f` may call the function f with a row of t. */
  readonly attributeCalls: boolean
  /** `x.t` may be table t of database x. */
  readonly databaseBeforeTable: boolean
  /** Schemas whose tables a bare name finds before all others. */
  readonly hiddenSchema: RegExp | undefined
  /** A setting of the server decides whether `Users` and `users` are the same. */
  readonly caseBySetting: boolean
  /** Columns that the engine adds and that tell nothing of a hidden one. */
  readonly addedColumns: readonly string[]
  /** Names under which the engine also gives a declared column, which may be a hidden one. */
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

/** A dialect that sqlparser-rs reads, because its engine has no parser that runs here. */
export interface ParsedDialect extends SqlDialect {
  readonly grammar: Grammar
}

/** How tokens of a dialect end, and where it differs from what sqlparser-rs would make of it. */
export interface Grammar {
  readonly lex: LexRules
  /** What sqlparser-rs calls it. */
  readonly parser: string
  /** `FROM t a, a.items i` walks into a nested column instead of naming a table. */
  readonly pathsInFrom: boolean
  /** A CTE may name itself without the word RECURSIVE. */
  readonly recursiveByNature: boolean
  /** Where the own name of a recursive CTE never means a table. */
  readonly seesSelf: 'all' | 'last'
  /** Names without quotes are kept in capitals, and quoted ones are others. */
  readonly foldsUp: boolean
  /** Variables of the server that tell of no table and no setting of people. */
  readonly variables: readonly string[]
  readonly exactCase: boolean
  /** EXPLAIN, DESCRIBE and SHOW exist. Where they do not, such a text would call a procedure of that name. */
  readonly explains: boolean
  /**
   * Reserved words that no read holds. T-SQL needs no semicolon, so to other eyes `SELECT 1 DELETE FROM t` looks like
   * an alias.
   */
  readonly never: readonly string[]
  /** Whether a name in place of a table is a file, a stage or a table of another server. */
  isExternal(name: readonly string[]): boolean
  /** Spells for the parser what it does not know; the engine gets what was written. */
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

/** Where statements of a dialect are only looked over; what is judged is read by a real parser. */
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
