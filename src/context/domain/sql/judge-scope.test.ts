import { DuckDBInstance } from '@duckdb/node-api'
import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import { loadModule, parseSync } from 'libpg-query'
import { parse } from 'sqlite3-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS } from '../../../../test/sql-dialects.ts'
import { fromDuckdbTree } from '../../warehouse/duckdb/from-duckdb-tree.ts'
import { fromPostgresTree } from '../../warehouse/postgres/from-postgres-tree.ts'
import { fromSqliteTree } from '../../warehouse/sqlite/from-sqlite-tree.ts'
import { judgeStatement } from './judge-statement.ts'
import { parseDialect } from './parse-dialect.ts'
import type { AllowedTable, SqlVerdict } from './policy.ts'
import { finishStatement } from './statement-draft.ts'
import type { ParsedSql } from './statement.ts'

const table = (name: string, columns: readonly string[], hidden: readonly string[] = []): AllowedTable => ({
  database: 'shop',
  schema: 'main',
  name,
  columns,
  hidden,
})
const TABLES = [
  table('users', ['id', 'email'], ['password']),
  table('orders', ['id', 'user_id', 'amount', 'email']),
  table('user_emails', ['id', 'email']),
  table('hours', ['id'], ['day_hour', 'sounds']),
]

const readers: Record<'postgres' | 'sqlite' | 'mysql' | 'duckdb', (sql: string) => ParsedSql | Promise<ParsedSql>> = {
  postgres: (sql) => fromPostgresTree(parseSync(sql), sql, { searchPath: ['main'], ownFunctions: [] }),
  sqlite: (sql) => fromSqliteTree((parse(sql) as { root?: unknown }).root, sql),
  mysql: (sql) =>
    parseDialect(sql, DIALECTS.mysql, {
      names: { searchPath: ['main'] },
      parse: (text, dialect) => JSON.parse(Parser.parseToJson(text, dialect as 'mysql')) as unknown,
    }),
  async duckdb(sql) {
    const connection = await (await DuckDBInstance.fromCache(':memory:')).connect()
    const [row] = (await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])).getRowsJS()
    connection.closeSync()
    const names = { searchPath: ['main'], exactCase: false, ownFunctions: [] }
    return {
      statements: fromDuckdbTree(JSON.parse(String(row?.[0]))).map((draft) => finishStatement(draft, sql, names)),
      error: undefined,
    }
  },
}

const judge = async (dialect: keyof typeof readers, sql: string): Promise<SqlVerdict> =>
  judgeStatement(await readers[dialect](sql), { dialect: DIALECTS[dialect], tables: TABLES })

beforeAll(async () => {
  await loadModule()
  await init()
})

const ALLOWED = [
  'SELECT id, email FROM users',
  'SELECT count(*) FROM users',
  'SELECT u.id, u.email FROM users u JOIN orders o ON o.user_id = u.id',
  'SELECT * FROM orders',
  'SELECT o.* FROM orders o JOIN users u ON u.id = o.user_id',
  'SELECT * FROM user_emails',
  'SELECT id FROM main.users',
  'SELECT users.email FROM users WHERE users.id = 1 ORDER BY users.email',
  'SELECT email AS address FROM users ORDER BY address',
  'WITH u AS (SELECT id, email FROM users) SELECT * FROM u',
  'WITH users AS (SELECT 1 AS password) SELECT password FROM users',
  'WITH a AS (SELECT id FROM users), b AS (SELECT * FROM a) SELECT * FROM b',
  'SELECT x.password FROM (SELECT email AS password FROM user_emails) x',
  'SELECT password FROM (SELECT email AS password FROM user_emails) x',
  'SELECT id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE orders.user_id = users.id)',
  'SELECT email FROM orders WHERE user_id IN (SELECT id FROM users)',
  'SELECT id FROM users UNION ALL SELECT id FROM orders ORDER BY id',
  'SELECT id, row_number() OVER (PARTITION BY email ORDER BY id) FROM users',
  "SELECT 'password' AS word FROM users",
]

const REFUSED: readonly (readonly [code: 'table' | 'column', sql: string])[] = [
  ['table', 'SELECT * FROM secrets'],
  ['table', 'SELECT 1 FROM orders, secrets'],
  ['table', 'SELECT (SELECT max(id) FROM secrets) FROM users'],
  ['table', 'SELECT id FROM users WHERE id IN (SELECT id FROM secrets)'],
  ['table', 'WITH s AS (SELECT * FROM secrets) SELECT 1 FROM orders'],
  ['table', 'SELECT id FROM users UNION SELECT id FROM secrets'],
  ['table', 'SELECT * FROM other.users'],
  ['table', 'SELECT * FROM orders o JOIN (SELECT id FROM secrets) s ON s.id = o.id'],
  ['table', 'SELECT id FROM users ORDER BY (SELECT max(id) FROM secrets)'],
  ['table', 'SELECT id FROM users GROUP BY id HAVING count(*) > (SELECT count(*) FROM secrets)'],
  ['column', 'SELECT * FROM users'],
  ['column', 'SELECT u.* FROM users u'],
  ['column', 'SELECT password FROM users'],
  ['column', 'SELECT PASSWORD FROM users'],
  ['column', 'SELECT u.password FROM users u'],
  ['column', 'SELECT users.password FROM users'],
  ['column', 'SELECT main.users.password FROM main.users'],
  ['column', "SELECT id FROM users WHERE password LIKE 'a%'"],
  ['column', 'SELECT id FROM users ORDER BY password'],
  ['column', 'SELECT count(*) FROM users GROUP BY password'],
  ['column', 'SELECT max(password) FROM users'],
  ['column', "SELECT id FROM users GROUP BY id HAVING max(password) > 'a'"],
  ['column', 'SELECT rank() OVER (ORDER BY password) FROM users'],
  ['column', "SELECT CASE WHEN password = 'x' THEN 1 END FROM users"],
  ['column', 'SELECT (SELECT password) FROM users'],
  [
    'column',
    'SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = u.id AND u.password IS NOT NULL)',
  ],
  ['column', 'SELECT id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE password IS NOT NULL)'],
  ['column', 'SELECT x.id FROM (SELECT * FROM users) x'],
  ['column', 'WITH u AS (SELECT id, password AS p FROM users) SELECT id FROM u'],
  ['column', 'SELECT o.id FROM orders o JOIN users u ON u.password = o.email'],
  ['column', 'SELECT o.id FROM orders o JOIN users u USING (password)'],
  ['column', "SELECT id FROM users NATURAL JOIN (SELECT 'guess' AS password) g"],
  ['column', 'SELECT id FROM orders UNION ALL SELECT password FROM users'],
]

describe.each(Object.keys(readers) as (keyof typeof readers)[])('%s', (dialect) => {
  test.each(ALLOWED)('%s is allowed', async (sql) => {
    expect(await judge(dialect, sql)).toMatchObject({ allowed: true })
  })

  test.each(REFUSED)('%s outside the context: %s is refused', async (code, sql) => {
    expect(await judge(dialect, sql)).toMatchObject({ allowed: false, code })
  })

  test('a refusal lists the tables or columns that may be read instead', async () => {
    expect(await judge(dialect, 'SELECT password FROM users')).toMatchObject({
      reason: 'main.users.password is not part of the context',
      hint: 'Columns of main.users that may be read: id, email.',
    })
    expect(await judge(dialect, 'SELECT 1 FROM secrets')).toMatchObject({
      hint: 'Tables that may be read: main.users, main.orders, main.user_emails, main.hours.',
    })
  })
})

describe('dialect-specific statements', () => {
  test.each<readonly [keyof typeof readers, string]>([
    ['postgres', 'SELECT u FROM users u'],
    ['postgres', 'SELECT row_to_json(users) FROM users'],
    ['postgres', 'SELECT (u).password FROM users u'],
    ['postgres', 'SELECT c FROM users AS u(a, b, c)'],
    ['postgres', 'TABLE users'],
    ['postgres', 'SELECT j.password FROM (users JOIN orders USING (id)) AS j'],
    ['postgres', 'SELECT s.password FROM orders o, LATERAL (SELECT password FROM users WHERE id = o.id) s'],
    ['duckdb', 'SELECT u FROM users u'],
    ['duckdb', 'FROM users'],
    ['duckdb', "SELECT COLUMNS('pass') FROM users"],
    ['duckdb', 'SELECT #3 FROM users'],
    ['duckdb', 'SUMMARIZE users'],
    ['duckdb', "PIVOT users ON email IN ('a') USING count(*)"],
    ['duckdb', 'FROM users u(a, b, c) SELECT c'],
    ['mysql', 'SELECT `password` FROM `users`'],
    ['mysql', 'SELECT day_hour FROM hours'],
    ['mysql', "SELECT id FROM hours WHERE sounds LIKE 'x'"],
    ['sqlite', 'SELECT [password] FROM users'],
    ['sqlite', 'PRAGMA table_info(users)'],
    ['mysql', 'DESCRIBE users'],
    ['duckdb', 'DESCRIBE users'],
    ['sqlite', 'SELECT 1 WHERE 1 IN users'],
  ])('%s: %s would read a hidden column', async (dialect, sql) => {
    expect(await judge(dialect, sql)).toMatchObject({ allowed: false, code: 'column' })
  })

  test.each<readonly [keyof typeof readers, string]>([
    ['duckdb', 'SELECT * EXCLUDE (password) FROM users'],
    ['duckdb', 'DESCRIBE orders'],
    ['duckdb', 'DESCRIBE SELECT id FROM users'],
    ['mysql', 'DESCRIBE orders'],
    ['mysql', 'SHOW COLUMNS FROM orders'],
    ['mysql', 'SELECT seq FROM dual, seq_1_to_3'],
    ['sqlite', 'PRAGMA table_info(orders)'],
    ['postgres', 'SHOW timezone'],
    ['postgres', '(SELECT id FROM users) UNION ALL (SELECT id FROM orders) ORDER BY id'],
    ['postgres', 'SELECT e.email FROM orders o, LATERAL (SELECT email FROM users WHERE id = o.user_id) e'],
  ])('%s: %s reads no hidden column', async (dialect, sql) => {
    expect(await judge(dialect, sql)).toMatchObject({ allowed: true })
  })

  test.each<readonly [keyof typeof readers, string]>([
    ['duckdb', 'FROM duckdb_columns()'],
    ['duckdb', 'DESCRIBE secrets'],
    ['duckdb', 'SHOW TABLES'],
    ['mysql', 'SHOW TABLES'],
    ['mysql', 'SHOW GRANTS'],
    ['mysql', 'SHOW CREATE USER root'],
    ['postgres', 'SHOW search_path'],
    ['postgres', "SELECT 'secrets'::regclass"],
    ['mysql', 'SHOW CREATE TABLE secrets'],
    ['mysql', 'SHOW COLUMNS FROM secrets'],
    ['sqlite', "SELECT * FROM pragma_table_info('secrets')"],
    ['sqlite', 'SELECT sql FROM sqlite_schema'],
    ['postgres', 'SELECT * FROM pg_catalog.pg_stats'],
    ['postgres', 'SELECT * FROM information_schema.columns'],
  ])('%s: %s reveals tables outside the context', async (dialect, sql) => {
    expect(await judge(dialect, sql)).toMatchObject({ allowed: false, code: 'table' })
  })

  test('a non-recursive CTE named like a table reads that table inside itself', async () => {
    expect(await judge('postgres', 'WITH users AS (SELECT * FROM users) SELECT 1')).toMatchObject({
      allowed: false,
      code: 'column',
    })
  })

  test.each([
    ['SELECT x.a FROM (SELECT id AS a FROM users UNION SELECT amount AS b FROM orders) x', true],
    ['SELECT x.b FROM (SELECT id AS a FROM users UNION SELECT amount AS b FROM orders) x', false],
    ['WITH RECURSIVE n AS (SELECT id AS a FROM orders UNION SELECT n.a + 1 AS b FROM n) SELECT n.a FROM n', true],
    ['WITH RECURSIVE n AS (SELECT id AS a FROM orders UNION SELECT n.b + 1 AS b FROM n) SELECT n.a FROM n', false],
  ])('the first branch of a set operation names its columns: %s', async (sql, allowed) => {
    expect(await judge('postgres', sql)).toMatchObject({ allowed })
  })

  test('a join keeps its column names, unless it has an alias', async () => {
    const join = 'orders o JOIN user_emails e ON e.id = o.id'
    for (const sql of [
      `SELECT x.user_id FROM (SELECT * FROM ${join}) AS x(a)`,
      'SELECT j.id FROM orders JOIN user_emails USING (id) AS j',
    ])
      expect(await judge('postgres', sql), sql).toMatchObject({ allowed: true })
    for (const sql of [
      `SELECT x.user_id FROM (SELECT * FROM (${join}) AS j) AS x(a)`,
      'SELECT j.amount FROM orders JOIN user_emails USING (id) AS j',
      `SELECT j.amount FROM (${join}) AS j`,
    ])
      expect(await judge('postgres', sql), sql).toMatchObject({
        allowed: false,
        code: 'column',
        hint: 'Name the columns of a subquery, and call functions with parentheses.',
      })
  })

  test('PostgreSQL rejects user-definable operators in any position', async () => {
    for (const [own, known] of [
      ['SELECT id OPERATOR(public.===) 1 FROM orders', 'SELECT id = 1 FROM orders'],
      ['SELECT 1 OPERATOR(public.===) ANY (SELECT id FROM orders)', 'SELECT 1 = ANY (SELECT id FROM orders)'],
      ['SELECT id FROM orders ORDER BY id USING OPERATOR(public.<<<)', 'SELECT id FROM orders ORDER BY id USING <'],
    ] as const) {
      expect(await judge('postgres', own), own).toMatchObject({ allowed: false, code: 'function' })
      expect(await judge('postgres', known), known).toMatchObject({ allowed: true })
    }
  })

  test('PostgreSQL distinguishes "Users" from users, SQLite does not', async () => {
    expect(await judge('postgres', 'SELECT id FROM "Users"')).toMatchObject({ allowed: false, code: 'table' })
    expect(await judge('sqlite', 'SELECT id FROM "Users"')).toMatchObject({ allowed: true })
  })
})
