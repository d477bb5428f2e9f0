import type { LexRules } from './lex.ts'
import type { SqlDialect } from './name-traits.ts'

const STANDARD: LexRules = {
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

/** A dialect without a parser of its engine's own: how its tokens end, and what sqlparser-rs calls it. */
export interface Dialect {
  readonly lex: LexRules
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
}

const PLAIN = {
  pathsInFrom: false,
  recursiveByNature: false,
  seesSelf: 'last' as const,
  foldsUp: false,
  variables: [] as readonly string[],
  exactCase: false,
  explains: true,
  never: ['INTO'],
}

const MYSQL_VARIABLES =
  '@@VERSION @@VERSION_COMMENT @@SQL_MODE @@TIME_ZONE @@SYSTEM_TIME_ZONE @@LOWER_CASE_TABLE_NAMES @@CHARACTER_SET_CLIENT @@COLLATION_CONNECTION @@AUTOCOMMIT'

const T_SQL_STATEMENTS =
  'INTO INSERT UPDATE DELETE MERGE DROP CREATE ALTER TRUNCATE EXEC EXECUTE GRANT REVOKE DENY BACKUP RESTORE DECLARE SET KILL SHUTDOWN ' +
  'WAITFOR BEGIN COMMIT ROLLBACK SAVE DBCC BULK RECONFIGURE PRINT RAISERROR GOTO IF WHILE RETURN OPEN CLOSE DEALLOCATE CHECKPOINT ' +
  'WRITETEXT UPDATETEXT READTEXT'

/** The dialects whose engines have no parser that runs here. */
export type ParsedDialect = Exclude<SqlDialect, 'duckdb' | 'sqlite' | 'postgres'>

export const DIALECTS: Readonly<Record<ParsedDialect, Dialect>> = {
  mysql: {
    ...PLAIN,
    parser: 'mysql',
    exactCase: true,
    seesSelf: 'all',
    variables: MYSQL_VARIABLES.split(' '),
    lex: {
      ...STANDARD,
      lineComments: ['--', '#'],
      dashNeedsSpace: true,
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
    },
  },
  bigquery: {
    ...PLAIN,
    parser: 'bigquery',
    pathsInFrom: true,
    exactCase: true,
    lex: {
      ...STANDARD,
      lineComments: ['--', '#'],
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
      tripleQuotes: true,
      rawStrings: 'escapes',
    },
  },
  snowflake: {
    ...PLAIN,
    parser: 'snowflake',
    recursiveByNature: true,
    foldsUp: true,
    exactCase: true,
    lex: { ...STANDARD, lineComments: ['--', '//'], backslash: 'escapes', dollarQuotes: true },
  },
  redshift: {
    ...PLAIN,
    parser: 'redshift',
    pathsInFrom: true,
    lex: { ...STANDARD, nestedComments: true, backslash: 'unsure', dollarQuotes: true },
  },
  databricks: {
    ...PLAIN,
    parser: 'databricks',
    lex: {
      ...STANDARD,
      nestedComments: true,
      stringQuotes: `'"`,
      nameQuotes: '`',
      backslash: 'escapes',
      rawStrings: 'plain',
    },
  },
  clickhouse: {
    ...PLAIN,
    parser: 'clickhouse',
    exactCase: true,
    lex: {
      ...STANDARD,
      lineComments: ['--', '#'],
      nestedComments: true,
      nameQuotes: '"`',
      backslash: 'escapes',
      dollarQuotes: true,
    },
  },
  mssql: {
    ...PLAIN,
    parser: 'mssql',
    recursiveByNature: true,
    explains: false,
    never: T_SQL_STATEMENTS.split(' '),
    lex: { ...STANDARD, nestedComments: true, nameQuotes: '"[' },
  },
  trino: { ...PLAIN, parser: 'generic', lex: STANDARD },
  athena: { ...PLAIN, parser: 'generic', lex: { ...STANDARD, nameQuotes: '"`' } },
}
