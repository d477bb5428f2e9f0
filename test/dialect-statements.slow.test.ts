import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openLiquidTemplates } from '../src/context/adapters/liquid-templates.ts'
import { openDatabaseSource } from '../src/context/database-source.ts'
import { databaseFields } from '../src/context/domain/context-project/config.ts'
import { lex, type Token } from '../src/context/domain/sql/lex.ts'
import { parseDialect, type TreeParser } from '../src/context/domain/sql/parse-dialect.ts'
import {
  collectRows,
  SYNC_COMMENT,
  type Cell,
  type QueryLimits,
  type QueryResult,
} from '../src/context/domain/sql/query.ts'
import { openRemoteWarehouse, type Driver, type RemoteEngine } from '../src/context/warehouse/remote-warehouse.ts'
import { loadSqlparser } from '../src/context/warehouse/sqlparser-tree.ts'
import { recordingOf, REMOTE_ENGINES, type Recording, type RemoteSubject, type RemoteType } from './remote-engines.ts'
import { PARSED_DIALECTS } from './sql-dialects.ts'

/** Columns of the engine's usual types, spelled as in its catalogue. */
const TYPES: Readonly<Record<RemoteType, readonly string[]>> = {
  athena:
    'boolean|tinyint|integer|bigint|real|double|decimal(10,2)|varchar|char(3)|varbinary|date|timestamp(3)|array(integer)|map(varchar, integer)|row(a integer, b varchar)'.split(
      '|',
    ),
  bigquery:
    'INT64|FLOAT64|NUMERIC(10, 2)|BIGNUMERIC|BOOL|STRING|BYTES|DATE|DATETIME|TIME|TIMESTAMP|INTERVAL|JSON|GEOGRAPHY|ARRAY<STRING>|STRUCT<a INT64, b STRING>|RANGE<DATE>'.split(
      '|',
    ),
  clickhouse:
    'UInt64|Int8|Float64|Decimal(10, 2)|Bool|String|FixedString(3)|UUID|Date|DateTime64(3)|Enum8(1)|Nullable(Int32)|Nullable(String)|LowCardinality(Nullable(String))|Array(String)|Map(String, UInt8)|Tuple(a String, b Int8)|IPv4|JSON'.split(
      '|',
    ),
  databricks:
    'tinyint|int|bigint|float|double|decimal(10,2)|boolean|string|binary|date|timestamp|timestamp_ntz|interval day|array<int>|map<string,int>|struct<a:int>|variant'.split(
      '|',
    ),
  mssql:
    'bit|tinyint|int|bigint|decimal(10,2)|money|float|real|char(3)|nvarchar(max)|varchar(50)|varbinary(max)|date|datetime2|datetimeoffset|time|uniqueidentifier|xml|sql_variant'.split(
      '|',
    ),
  redshift:
    'smallint|integer|bigint|numeric(10,2)|real|double precision|boolean|character varying(256)|character(3)|date|timestamp without time zone|timestamp with time zone|time without time zone|super|varbyte(64)|geometry'.split(
      '|',
    ),
  snowflake:
    'NUMBER|FLOAT|BOOLEAN|TEXT|BINARY|DATE|TIME|TIMESTAMP_NTZ|TIMESTAMP_TZ|VARIANT|OBJECT|ARRAY|GEOGRAPHY'.split('|'),
  trino:
    'boolean|tinyint|integer|bigint|real|double|decimal(10,2)|varchar|char(3)|varbinary|json|date|time(3)|timestamp(3) with time zone|uuid|ipaddress|array(integer)|map(varchar, integer)|row(a integer)'.split(
      '|',
    ),
}

/**
 * Syntax that sqlparser-rs accepts, but the engine itself refuses or reads differently. Written by hand: no such engine
 * runs here.
 */
const FOREIGN: Readonly<Record<RemoteType, readonly (readonly [RegExp, string])[]>> = {
  athena: [
    [
      /CAST\("c_(?:array|map|row|json|varbinary)[^"]*" AS VARCHAR\)/i,
      'nested values and bytes have no cast to VARCHAR',
    ],
    [/\bTOP \d/i, 'rows are limited with LIMIT'],
  ],
  bigquery: [
    [/\bAS (?:DOUBLE|VARCHAR|FLOAT\b)/i, 'the types are FLOAT64 and STRING'],
    [/CAST\(`c_(?:ARRAY|STRUCT|JSON|GEOGRAPHY|BYTES|RANGE)[^`]*` AS STRING\)/i, 'these types have no cast to STRING'],
    [/\bTOP \d/i, 'rows are limited with LIMIT'],
  ],
  clickhouse: [
    [/\bCAST\([^()]* AS (?:String|Float64)\)/i, 'a cast to a type that is not Nullable fails at the first null'],
    [/\bAS (?:DOUBLE|VARCHAR)/i, 'the types are Float64 and String'],
    [/type LIKE 'Nullable\(%' AS nullable/, 'a column of type LowCardinality(Nullable(…)) may be null, too'],
  ],
  databricks: [
    [/\bDOUBLE PRECISION\b/i, 'the type is DOUBLE'],
    [/\bAS VARCHAR\)/i, 'VARCHAR needs a length'],
    [/\bTOP \d/i, 'rows are limited with LIMIT'],
  ],
  mssql: [
    [/\bLIMIT\b/i, 'rows are limited with TOP'],
    [/\bSTDDEV/i, 'the function is STDEV'],
    [/CAST\(\[[^\]]*\] AS N?VARCHAR\)/i, 'a cast to VARCHAR without a length cuts at 30 characters'],
    [/\b(?:TRUE|FALSE)\b/i, 'there are no boolean literals'],
    [/\bNULLS (?:FIRST|LAST)\b/i, 'nulls are not ordered'],
    [/\|\|/, 'texts are joined with concat'],
  ],
  redshift: [
    [/\bAS VARCHAR\)/i, 'a cast to VARCHAR without a length cuts at 256 characters'],
    [/CAST\("c_super" AS/i, 'only JSON_SERIALIZE makes text of every SUPER'],
  ],
  snowflake: [[/\bAS sample\b/i, 'SAMPLE is reserved']],
  trino: [
    [
      /CAST\("c_(?:array|map|row|json|varbinary)[^"]*" AS VARCHAR\)/i,
      'nested values and bytes have no cast to VARCHAR',
    ],
    [/\bTOP \d/i, 'rows are limited with LIMIT'],
  ],
}

/** The field used in catalogue statements, with a name that would end a string. */
const ODD = String.raw`x\' OR INJECTED --`
const NAMED: Readonly<Record<RemoteType, Readonly<Record<string, string>>>> = {
  athena: { database: ODD },
  bigquery: { dataset: ODD },
  clickhouse: { database: ODD },
  databricks: { catalog: ODD },
  mssql: { schema: ODD },
  redshift: { schema: ODD },
  snowflake: { database: ODD },
  trino: { catalog: ODD },
}

/** Common column names that would also be natural as an alias. */
const COMMON_NAMES = ['total', 'n', 'k', 'v', 'count', 'value', 'sample']

let parse: TreeParser
beforeAll(async () => {
  parse = await loadSqlparser()
})

describe.each(REMOTE_ENGINES)('the SQL that Ken sends to $name', (subject) => {
  const { name } = subject
  let sent: readonly string[] = []
  let profile = ''
  beforeAll(async () => {
    ;({ sent, profile } = await syncEverything(subject))
  })

  test('includes the catalogue, the history, samples, profiles and most frequent values', () => {
    const has = (what: RegExp): boolean => sent.some((sql) => what.test(sql))
    expect(sent.length).toBeGreaterThan(6)
    expect(has(/COUNT\(DISTINCT/)).toBe(true)
    expect(has(/UNION ALL/)).toBe(true)
    expect(has(/CONCAT\(CONCAT\(SUBSTRING\(/)).toBe(true)
    expect(sent.filter((sql) => /\bc_/.test(sql)).length).toBeGreaterThan(4)
  })

  test('parses as exactly one statement each in the grammar of that dialect', () => {
    for (const sql of sent) {
      const parsed = parseDialect(sql, PARSED_DIALECTS[name], { names: {}, parse })
      expect(parsed.error, sql).toBeUndefined()
      expect(parsed.statements, sql).toHaveLength(1)
    }
  })

  test('contains nothing that only other engines understand', () => {
    const found = sent.flatMap((sql) =>
      FOREIGN[name]
        .filter(([pattern]) => pattern.test(sql))
        .map(([pattern, reason]) => `${reason}: ${pattern.exec(sql)![0]}`),
    )
    expect(found).toEqual([])
  })

  test('uses no common column name as an alias', () => {
    const aliases = sent
      .filter((sql) => /\bc_/.test(sql))
      .flatMap((sql) => [...sql.matchAll(/\bAS (\w+)(?=[,\s]|$)/g)].map((match) => match[1]!.toLowerCase()))
    expect(aliases).not.toEqual([])
    expect(aliases.filter((alias) => COMMON_NAMES.includes(alias))).toEqual([])
  })

  test('returns a profile of every column', () => {
    expect(profile).toContain('all 40 rows')
    expect(profile).not.toContain('Not profiled')
    expect(profile).toMatch(/\| total \| 3 \(7\.5 %\) \| 7 \| 1 \| 9 \| 5\.5 \| 2\.25 \|/)
  })

  test('contains the mark by which the history excludes it', () => {
    const own = sent.filter((sql) => /\bc_/.test(sql))
    expect(own.filter((sql) => !sql.includes(SYNC_COMMENT))).toEqual([])
  })

  test('treats a name from ken.yaml as a name, whatever it contains', async () => {
    const recording = recordingOf(name)
    const given = subject.type.connection.parse({ ...recording.connection, ...NAMED[name] }) as never
    const statements: string[] = []
    const engine = subject.engine(given)
    await engine.readCatalogue(async (sql) => {
      statements.push(sql)
      return []
    })
    statements.push(engine.historySql(10) ?? '')
    for (const sql of statements) {
      const lexed = lex(sql, PARSED_DIALECTS[name].grammar.lex)
      expect(lexed).toHaveProperty('tokens')
      const { tokens } = lexed as { tokens: readonly Token[] }
      expect(tokens.filter(({ kind, value }) => kind === 'word' && value === 'INJECTED')).toEqual([])
    }
  })

  test('requests the mean of every number, however its type is wrapped', () => {
    const numbers = TYPES[name].filter((type) =>
      /^(?:Nullable\()?(?:u?(?:big|tiny|small)?int(?:eger)?\d*\b|(?:big)?num|dec|float|real|double)/i.test(type),
    )
    expect(numbers.length).toBeGreaterThan(1)
    for (const type of numbers) expect(profile).toMatch(new RegExp(`\\| ${columnName(type)} \\|.*\\| 5\\.5 \\|`))
  })
})

const columnName = (type: string): string => `c_${type.replaceAll(/\W+/g, '_').replace(/_$/, '')}`

/** Compiles a small table and one that needs sampling, with every kind of document. */
async function syncEverything(subject: RemoteSubject): Promise<{ sent: readonly string[]; profile: string }> {
  const recording = recordingOf(subject.name)
  const sent: string[] = []
  const engine = subject.engine(subject.type.connection.parse(recording.connection) as never)
  const driver: Driver = {
    async run(sql, limits) {
      sent.push(sql)
      return answer(sql, limits, recording) ?? rowsOf(profileRow(sql, subject.name), limits)
    },
    close: async () => undefined,
  }
  const warehouse = await openRemoteWarehouse(withEveryType(engine, TYPES[subject.name]), driver)
  const config = z.looseObject(databaseFields).parse({ name: 'w', type: subject.name })
  const source = openDatabaseSource({
    config,
    warehouse,
    templates: openLiquidTemplates(),
    overrides: new Map(),
    redact: async (text) => ({ text, count: 0 }),
  })
  const { items } = await source.list()
  let profile = ''
  for (const item of items) {
    const { documents } = await source.fetch(item)
    if (item.title.endsWith('small')) profile = documents.find((document) => document.name === 'profiling.md')!.text
  }
  return { sent, profile }
}

/** The engine's own catalogue statements, with two tables as the result. */
const withEveryType = (engine: RemoteEngine, types: readonly string[]): RemoteEngine => ({
  ...engine,
  async readCatalogue(rows) {
    await engine.readCatalogue(rows)
    const schema = engine.searchPath[0] ?? 's'
    const named = [
      ...COMMON_NAMES.map((name) => ({ name, type: types.find((type) => /int|number/i.test(type))! })),
      { name: 'day_de', type: types.find((type) => /char|text|string/i.test(type))! },
      ...types.map((type) => ({ name: columnName(type), type })),
    ]
    const tables = [
      { table: 'small', rows: 40 },
      { table: 'large', rows: 5_000_000 },
    ]
    return {
      tables: tables.map(({ table, rows: count }) => ({
        schema,
        table,
        kind: 'table' as const,
        comment: undefined,
        viewSql: undefined,
        partitions: [],
        rows: { count, exact: false },
      })),
      columns: tables.flatMap(({ table }) =>
        named.map((column) => ({ schema, table, ...column, nullable: true, default: undefined, comment: undefined })),
      ),
      primaryKeys: [],
      foreignKeys: [],
      indexes: [],
    }
  },
})

function answer(sql: string, limits: QueryLimits, { answers }: Recording): QueryResult | undefined {
  const found = answers.find(({ contains }) => contains.every((part) => sql.includes(part)))
  if (!found) return undefined
  return rowsOf({ columns: found.columns, rows: found.rows }, limits)
}

interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

function rowsOf({ columns, rows }: Rows, limits: QueryLimits): QueryResult {
  const collector = collectRows(limits)
  rows.every((row) => collector.add(row))
  return collector.finish(columns.map((name) => ({ name, type: 'text' })))
}

/** One row with a plausible value under every alias of a profile; Snowflake names its columns in capitals. */
function profileRow(sql: string, name: RemoteType): Rows {
  // The sample: one row with only a date as text.
  const asked = /^SELECT \/\* ken \*\/ (?:TOP \d+ )?(?:(?!\().)*?\bday_de\b.*? FROM /.exec(sql)?.[0]
  if (asked !== undefined && !sql.includes('COUNT('))
    return { columns: [], rows: [asked.split(', ').map((part) => (part.includes('day_de') ? '31.01.2024' : null))] }
  if (!sql.includes('COUNT(DISTINCT')) return { columns: [], rows: [] }
  const aliases = [...sql.matchAll(/\bAS ((?:ken_)?(total|lo|hi|av|sd|n|d|e|f)\d*)(?=,| FROM)/g)]
  const values: Readonly<Record<string, Cell>> = {
    total: 40,
    n: 37,
    d: 7,
    lo: 1,
    hi: 9,
    av: 5.5,
    sd: 2.25,
    e: 0,
    f: 37,
  }
  return {
    columns: aliases.map((match) => (name === 'snowflake' ? match[1]!.toUpperCase() : match[1]!)),
    rows: [aliases.map((match) => values[match[2]!]!)],
  }
}
