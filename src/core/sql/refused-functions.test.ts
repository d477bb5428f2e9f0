import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { refusedFunction } from './refused-functions.ts'

const isRefused = (name: string, dialect: string): boolean =>
  refusedFunction({ name: name.toLowerCase(), schema: undefined }, dialect) !== undefined

// Looked at one by one: they compute, or tell of the catalogue.
const DUCKDB_TELLING =
  /^(duckdb_(approx_database_count|columns|connection_count|constraints|coordinate_systems|databases|dependencies|extensions|external_file_cache|functions|indexes|keywords|log_contexts|logs|memory|optimizers|prepared_statements|schemas|secret_types|sequences|settings|table_sample|tables|temporary_files|types|variables|views)|pragma_\w+|pg_timezone_names|icu_calendar_names|json_each|json_tree|generate_series|range|repeat|repeat_row|unnest|summary|sql_auto_complete|test_all_types|test_vector_types|check_peg_parser)$/

test('every table function of DuckDB was looked at: it is refused, or known to tell only', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const names = (
    await connection.runAndReadAll("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table' ORDER BY 1")
  )
    .getRowsJS()
    .map((row) => String(row[0]))
  const volatile = (
    await connection.runAndReadAll(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'scalar' AND stability = 'VOLATILE'",
    )
  )
    .getRowsJS()
    .map((row) => String(row[0]))
  connection.closeSync()
  instance.closeSync()
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !isRefused(name, 'duckdb') && !DUCKDB_TELLING.test(name))).toEqual([])
  expect(names.filter((name) => isRefused(name, 'duckdb') && DUCKDB_TELLING.test(name))).toEqual([])
  expect(volatile.filter((name) => !isRefused(name, 'duckdb')).sort()).toEqual([
    'current_connection_id',
    'current_query',
    'current_query_id',
    'current_transaction_id',
    'currval',
    'error',
    'gen_random_uuid',
    'random',
    'setseed',
    'stats',
    'uuid',
    'uuidv4',
    'uuidv7',
  ])
})

test('of the functions of SQLite only those that reach outside or change something are refused', () => {
  const database = new DatabaseSync(':memory:')
  const names = database
    .prepare('PRAGMA function_list')
    .all()
    .map((row) => String(row['name']))
  database.close()
  expect([...new Set(names.filter((name) => isRefused(name, 'sqlite')))].sort()).toEqual([
    'fts3_tokenizer',
    'load_extension',
    'optimize',
    'rtreecheck',
    'sqlite_log',
  ])
})

test.each([
  ['postgres', 'http_get', 'aws_s3', true],
  ['postgres', 'query_export', 'aws_s3', true],
  ['postgres', 'sum', 'pg_catalog', false],
  ['postgres', 'invoke', 'aws_lambda', true],
  ['postgres', 'invoke', 'shop', false],
  ['mysql', 'load_file', undefined, true],
  ['mysql', 'concat', undefined, false],
  ['snowflake', 'system$abort_session', undefined, true],
  ['snowflake', 'systemx', undefined, false],
  ['clickhouse', 's3cluster', undefined, true],
  ['clickhouse', 'substring', undefined, false],
])('%s: %s of %s', (dialect, name, schema, refused) => {
  expect(refusedFunction({ name, schema }, dialect) !== undefined).toBe(refused)
})
