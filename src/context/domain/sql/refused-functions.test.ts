import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { DIALECTS, type DialectName } from '../../../../test/sql-dialects.ts'
import { refusedFunction } from './refused-functions.ts'

const isRefused = (name: string, dialect: DialectName, place: 'value' | 'rows' = 'value'): boolean =>
  refusedFunction({ name: name.toLowerCase(), schema: undefined, place }, DIALECTS[dialect]) !== undefined

test('DuckDB functions only compute: not volatile except random, no access to catalogue, files or tables', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = (
    await connection.runAndReadAll(
      'SELECT DISTINCT lower(function_name), function_type, stability FROM duckdb_functions()',
    )
  ).getRowsJS()
  connection.closeSync()
  instance.closeSync()
  const named = (type: string): readonly string[] => rows.filter((row) => row[1] === type).map((row) => String(row[0]))
  expect(
    rows
      .filter((row) => row[2] === 'VOLATILE' && !isRefused(String(row[0]), 'duckdb'))
      .map((row) => row[0])
      .sort(),
  ).toEqual(['gen_random_uuid', 'random', 'uuid', 'uuidv4', 'uuidv7'])
  expect(
    [...named('table'), ...named('table_macro')].filter((name) => !isRefused(name, 'duckdb', 'rows')).sort(),
  ).toEqual([
    'generate_series',
    'icu_calendar_names',
    'json_each',
    'json_tree',
    'range',
    'repeat',
    'repeat_row',
    'unnest',
  ])
  expect(
    [...DIALECTS.duckdb.functions.values].filter((name) =>
      /setting|variable|getenv|secret|query|execute|serialize|descri|viewdef|nextval|currval|stats|privilege|schemas/.test(
        name,
      ),
    ),
  ).toEqual([])
  expect(DIALECTS.duckdb.functions.rows.size).toBeGreaterThan(5)
})

test('most DuckDB and SQLite functions are allowed', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const computing = (
    await connection.runAndReadAll(
      "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate') AND stability = 'CONSISTENT' AND function_name NOT LIKE '\\_\\_internal%' ESCAPE '\\' AND function_name NOT LIKE 'icu\\_collate%' ESCAPE '\\'",
    )
  )
    .getRowsJS()
    .map((row) => String(row[0]))
  connection.closeSync()
  instance.closeSync()
  const refused = computing.filter((name) => isRefused(name, 'duckdb'))
  expect(refused.length / computing.length).toBeLessThan(0.06)
})

test('all SQLite functions are allowed except those that reach outside, reveal the file or change something', () => {
  const database = new DatabaseSync(':memory:')
  const names = new Set(
    database
      .prepare('PRAGMA function_list')
      .all()
      .map((row) => String(row['name'])),
  )
  database.close()
  expect([...names].filter((name) => isRefused(name, 'sqlite')).sort()).toEqual([
    'changes',
    'fts3_tokenizer',
    'fts5',
    'fts5_get_locale',
    'fts5_insttoken',
    'fts5_locale',
    'fts5_source_id',
    'geopoly_debug',
    'last_insert_rowid',
    'load_extension',
    'optimize',
    'rtreecheck',
    'rtreedepth',
    'rtreenode',
    'sqlite_compileoption_get',
    'sqlite_compileoption_used',
    'sqlite_log',
    'sqlite_source_id',
    'subtype',
    'total_changes',
  ])
  expect(DIALECTS.sqlite.functions.values.size).toBeGreaterThan(150)
})

test.each<readonly [DialectName, string, string | undefined, boolean]>([
  ['postgres', 'sum', 'pg_catalog', false],
  ['postgres', 'sum', 'public', true],
  ['postgres', 'LOWER', undefined, true],
  ['postgres', 'query_to_xml', undefined, true],
  ['postgres', 'to_regclass', undefined, true],
  ['mysql', 'load_file', undefined, true],
  ['mysql', 'concat', undefined, false],
  ['mysql', 'concat', 'shop', true],
  ['snowflake', 'system$abort_session', undefined, true],
  ['clickhouse', 's3cluster', undefined, true],
  ['clickhouse', 'uniqarrayif', undefined, false],
  ['clickhouse', 'sleepif', undefined, true],
  ['bigquery', 'parse_json', 'safe', false],
  ['bigquery', 'host', 'net', false],
  ['bigquery', 'mask', 'dataset', true],
  ['trino', 'query', 'system', true],
])('judges calls of known and unknown functions in %s: %s of %s', (dialect, name, schema, refused) => {
  expect(refusedFunction({ name, schema, place: 'value' }, DIALECTS[dialect]) !== undefined).toBe(refused)
})

test('a user-defined function is refused even under a built-in name, and the refusal names it', () => {
  expect(refusedFunction({ name: 'lower', schema: undefined, place: 'value' }, DIALECTS.duckdb, ['lower'])).toContain(
    'somebody made',
  )
})

test('only ClickHouse recognises an aggregate by its suffixes, and only unqualified', () => {
  expect(isRefused('sumif', 'clickhouse')).toBe(false)
  expect(isRefused('sumif', 'postgres')).toBe(true)
  expect(isRefused('sumif', 'clickhouse', 'rows')).toBe(true)
  expect(refusedFunction({ name: 'sumif', schema: 'mine', place: 'value' }, DIALECTS.clickhouse)).toMatch(/of mine/)
})
