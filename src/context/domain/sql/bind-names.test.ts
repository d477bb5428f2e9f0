import { describe, expect, test } from 'vitest'
import { duckdbDialect } from '../../warehouse/duckdb/dialect.ts'
import { mysqlDialect } from '../../warehouse/mysql/dialect.ts'
import { postgresDialect } from '../../warehouse/postgres/dialect.ts'
import { snowflakeDialect } from '../../warehouse/snowflake/dialect.ts'
import { sqliteDialect } from '../../warehouse/sqlite/dialect.ts'
import { bindNames } from './bind-names.ts'

const VALUES = new Map<string, string | number>([
  ['country', "x' OR 1=1 --"],
  ['day', '2026-05-01'],
])

describe('names in a statement', () => {
  test('become one placeholder for each use, and values stay out of the text', () => {
    expect(bindNames('SELECT :country, day FROM t WHERE day >= :day OR c = :country', VALUES, postgresDialect)).toEqual(
      {
        sql: 'SELECT $1, day FROM t WHERE day >= $2 OR c = $3',
        values: ["x' OR 1=1 --", '2026-05-01', "x' OR 1=1 --"],
      },
    )
    expect(bindNames('SELECT 1 WHERE a=:day', VALUES, mysqlDialect)).toEqual({
      sql: 'SELECT 1 WHERE a=?',
      values: ['2026-05-01'],
    })
  })

  test.each([
    "SELECT ':country'",
    'SELECT ":country"',
    "SELECT day::date, 'it''s :day'",
    'SELECT 1 -- :country',
    'SELECT /* :country */ 1',
  ])('are text in %s', (sql) => {
    expect(bindNames(sql, VALUES, postgresDialect)).toEqual({ sql, values: [] })
  })

  test('are not mistaken for slices, structs or casts', () => {
    for (const sql of ['SELECT a[1:day], a[:day]', "SELECT {'a':day}", 'SELECT a::day'])
      expect(bindNames(sql, VALUES, duckdbDialect)).toEqual({ sql, values: [] })
  })

  test('that are not declared are refused: SQLite would read them as null', () => {
    expect(bindNames('SELECT :countrry', VALUES, sqliteDialect)).toEqual({ error: ':countrry is not declared' })
    expect(bindNames('SELECT :constructor', VALUES, sqliteDialect)).toEqual({ error: ':constructor is not declared' })
  })

  test('are refused together with unnamed placeholders, and on engines that cannot bind', () => {
    expect(bindNames('SELECT ?, :day', VALUES, sqliteDialect)).toMatchObject({ error: expect.stringMatching(/^\? is/) })
    expect(bindNames('SELECT $1, :day', VALUES, duckdbDialect)).toMatchObject({
      error: expect.stringMatching(/^\$1 is/),
    })
    expect(bindNames('SELECT :day', VALUES, snowflakeDialect)).toEqual({
      error: 'parameters are not supported on snowflake',
    })
    expect(bindNames('SELECT 1', VALUES, snowflakeDialect)).toEqual({ sql: 'SELECT 1', values: [] })
  })
})
