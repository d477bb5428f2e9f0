import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { PARSED_DIALECTS, type ParsedDialectName } from '../../../../test/sql-dialects.ts'
import { judgeStatement } from './judge-statement.ts'
import { parseDialect, type TreeParser } from './parse-dialect.ts'
import type { AllowedTable, SqlVerdict } from './policy.ts'
import type { ParsedSql } from './statement.ts'

beforeAll(() => init())

const parse: TreeParser = (sql, dialect) => JSON.parse(Parser.parseToJson(sql, dialect as 'generic')) as unknown
const read = (sql: string, dialect: ParsedDialectName): ParsedSql =>
  parseDialect(sql, PARSED_DIALECTS[dialect], {
    names: { searchPath: [dialect === 'snowflake' ? 'MAIN' : 'main'] },
    parse,
  })
const judge = (dialect: ParsedDialectName, sql: string, tables?: readonly AllowedTable[]): SqlVerdict =>
  judgeStatement(read(sql, dialect), { dialect: PARSED_DIALECTS[dialect], tables })

const EVERYWHERE = [
  'SELECT 1',
  "SELECT '--' AS dashes, '/* */' AS stars",
  'SELECT a, count(*) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY 2 DESC',
  'WITH a AS (SELECT 1 AS x) SELECT x FROM a',
  '(SELECT 1) UNION ALL (SELECT 2)',
  'SELECT t.a, u.b FROM s.t AS t LEFT JOIN s.u AS u ON t.id = u.id WHERE t.a BETWEEN 1 AND 2',
  'SELECT a, row_number() OVER (PARTITION BY b ORDER BY c) AS n FROM t',
  'SELECT CASE WHEN a > 1 THEN 1 ELSE 2 END, coalesce(a, b), CAST(a AS INTEGER) FROM t',
]

const NOWHERE = [
  "SELECT '--'; DELETE FROM t",
  'SELECT 1; SELECT 2',
  'DELETE FROM t',
  'UPDATE t SET a = 1',
  'INSERT INTO t VALUES (1)',
  'CREATE TABLE x (a INTEGER)',
  'DROP TABLE t',
  'TRUNCATE TABLE t',
  'ALTER TABLE t ADD COLUMN a INTEGER',
  'GRANT SELECT ON t TO x',
  'WITH x AS (DELETE FROM t) SELECT 1',
  'SELECT * INTO x FROM t',
  'SELECT a FROM t FOR UPDATE',
  'CALL p()',
  '/*!50000 DELETE FROM t */',
  'SELECT 1 /* unfinished',
  '',
]

const OWN: Readonly<
  Record<
    Exclude<ParsedDialectName, 'mysql'>,
    { readonly allowed: readonly string[]; readonly refused: readonly string[] }
  >
> = {
  bigquery: {
    allowed: [
      'SELECT * EXCEPT (a) FROM `p.d.t`',
      'SELECT x FROM UNNEST([1, 2]) AS x WITH OFFSET AS o',
      'SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1',
      'SELECT DATE_TRUNC(d, MONTH), SAFE_CAST(a AS INT64), COUNTIF(a > 1), STRUCT(1 AS x) FROM `p`.d.t # why not',
      'SELECT i.sku FROM t, t.items AS i',
      "SELECT r'\\d+', '''it's; --''', \"dq; --\", 'a\\'b'",
    ],
    refused: [
      "SELECT * FROM EXTERNAL_QUERY('c', 'SELECT 1')",
      "EXPORT DATA OPTIONS (uri = 'gs://x') AS SELECT 1",
      'DECLARE x INT64',
      "EXECUTE IMMEDIATE 'SELECT 1'",
      'SELECT $$a$$',
    ],
  },
  snowflake: {
    allowed: [
      'SELECT a:b.c::string FROM t, LATERAL FLATTEN(input => t.v) f',
      'SELECT * FROM TABLE(FLATTEN(input => parse_json(x)))',
      'SELECT * EXCLUDE (a) FROM t QUALIFY rank() OVER (ORDER BY b) = 1 -- fine',
      "SELECT LISTAGG(a, ',') WITHIN GROUP (ORDER BY a), IFF(a, 1, 2), $$ a;b $$ FROM t // fine",
      'SHOW TABLES IN SCHEMA x',
      'DESCRIBE TABLE t',
      'EXPLAIN USING JSON SELECT 1',
    ],
    refused: [
      'SELECT * FROM @stage/file.csv',
      "SELECT $1 FROM @s (FILE_FORMAT => 'f')",
      'SELECT SYSTEM$CANCEL_ALL_QUERIES(1)',
      'SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))',
      "SELECT GET_PRESIGNED_URL(@s, 'x')",
      'COPY INTO @s FROM t',
      'PUT file:///x @s',
      'USE ROLE accountadmin',
      "EXECUTE IMMEDIATE 'x'",
    ],
  },
  redshift: {
    allowed: [
      'SELECT TOP 5 * FROM t',
      "SELECT LISTAGG(a, ',') WITHIN GROUP (ORDER BY a) FROM t",
      'SELECT a FROM t QUALIFY rank() OVER (ORDER BY a) = 1',
      'EXPLAIN SELECT 1',
      'SELECT a::varchar, nvl(a, b), getdate() FROM t',
      'SELECT i.x FROM t a, a.items i',
    ],
    refused: [
      "UNLOAD ('SELECT 1') TO 's3://x'",
      "COPY t FROM 's3://x'",
      'SELECT pg_terminate_backend(1)',
      "SELECT '\\'' , pg_terminate_backend(1) --'",
      "SELECT pg_read_file('/etc/passwd')",
      'VACUUM t',
      'ANALYZE t',
    ],
  },
  databricks: {
    allowed: [
      'SELECT * FROM cat.s.t TIMESTAMP AS OF "2026-01-01"',
      'SELECT e FROM t LATERAL VIEW explode(b) x AS e',
      'SELECT transform(a, x -> x + 1) FROM t',
      'DESCRIBE HISTORY t',
      'SHOW TABLES IN s',
      'EXPLAIN EXTENDED SELECT 1',
      'SELECT a:b::string FROM t',
    ],
    refused: [
      "SELECT * FROM read_files('s3://x')",
      'SELECT * FROM csv.`/etc/passwd`',
      'SELECT * FROM parquet.`s3://b/x`',
      "SELECT ai_query('m', 'x')",
      "SELECT http_request(conn => 'c')",
      "SELECT reflect('java.lang.Runtime', 'x')",
      "SELECT secret('a', 'b')",
      'OPTIMIZE t',
      'CACHE TABLE t',
      'SET x = 1',
    ],
  },
  clickhouse: {
    allowed: [
      'SELECT quantile(0.5)(a), uniqExact(b), sumIf(a, b > 1) FROM t FINAL',
      'SELECT a FROM t ARRAY JOIN b AS c',
      'SELECT arrayMap(x -> x + 1, [1, 2])',
      'SELECT * FROM numbers(10)',
      'SHOW TABLES',
      'DESCRIBE TABLE t',
      'EXPLAIN PLAN SELECT 1',
      'SELECT * FROM t LIMIT 1 BY a',
    ],
    refused: [
      "SELECT * FROM file('x.csv')",
      "SELECT * FROM url('http://x', CSV)",
      "SELECT * FROM s3('x')",
      "SELECT * FROM remote('h', 'd', 't')",
      "SELECT * FROM mysql('h', 'd', 't', 'u', 'p')",
      "SELECT * FROM merge('d', 'x')",
      'SELECT * FROM t SETTINGS max_execution_time = 0',
      "SELECT * FROM t INTO OUTFILE 'x'",
      'SELECT sleep(3)',
      'SYSTEM SHUTDOWN',
      'OPTIMIZE TABLE t',
    ],
  },
  mssql: {
    allowed: [
      'SELECT TOP 10 * FROM [dbo].[weird table] WITH (NOLOCK)',
      "SELECT STRING_AGG(a, ',') WITHIN GROUP (ORDER BY a) FROM t",
      'SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY',
      'SELECT x.b FROM t CROSS APPLY (SELECT 1 AS b) x',
      'SELECT N\'x\', [a]]b], "c" FROM t',
      'SELECT * FROM t FOR JSON PATH',
      'WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n',
    ],
    refused: [
      'SELECT 1 DELETE FROM t',
      'SELECT 1 DROP TABLE t',
      "SELECT 1 EXEC xp_cmdshell 'id'",
      'SELECT 1 SET NOCOUNT ON',
      "EXEC sp_help 't'",
      "sp_configure 'x', 1",
      'DESCRIBE x',
      "SELECT * FROM OPENQUERY(s, 'SELECT 1')",
      "SELECT * FROM OPENROWSET('a', 'b', 'c')",
      'SELECT * FROM srv.db.dbo.t',
      "WAITFOR DELAY '0:0:5'",
      'DECLARE @x int = 1; SELECT @x',
    ],
  },
  trino: {
    allowed: [
      'SELECT * FROM c.s.t CROSS JOIN UNNEST(a) WITH ORDINALITY AS x(y, z)',
      'SELECT approx_distinct(a), try_cast(a AS bigint), a[1] FROM t',
      'VALUES (1, 2)',
      'SHOW TABLES FROM c.s',
      'DESCRIBE t',
      'EXPLAIN (TYPE DISTRIBUTED) SELECT 1',
      'EXPLAIN ANALYZE SELECT 1',
      "SELECT date '2026-01-01' + interval '1' day",
    ],
    refused: [
      "SELECT * FROM TABLE(pg.system.query(query => 'SELECT 1'))",
      'SET SESSION x = 1',
      'CALL c.system.x()',
      "SELECT q'[a'b]'",
    ],
  },
  athena: {
    allowed: ['SELECT a FROM "db"."t" WHERE day = \'2026-01-01\' LIMIT 5', 'SHOW TABLES', 'DESCRIBE t'],
    refused: ["UNLOAD (SELECT 1) TO 's3://x' WITH (format = 'PARQUET')", 'MSCK REPAIR TABLE t'],
  },
}

describe.each(Object.keys(OWN) as (keyof typeof OWN)[])('%s', (dialect) => {
  const { allowed, refused } = OWN[dialect]

  test.each([...EVERYWHERE, ...allowed])('%s is allowed', (sql) => {
    expect(judge(dialect, sql)).toMatchObject({ allowed: true })
  })

  test.each([...NOWHERE, ...refused])('%s is refused', (sql) => {
    expect(judge(dialect, sql)).toMatchObject({ allowed: false })
  })

  test('rejects tables outside the context, allows tables and columns inside it', () => {
    const kept = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name)
    const t = {
      database: 'd',
      schema: kept('main'),
      name: kept('t'),
      columns: ['a', 'b'].map(kept),
      hidden: [kept('secret')],
    }
    for (const sql of ['SELECT a FROM t', 'SELECT x.a FROM main.t x', 'WITH c AS (SELECT b FROM t) SELECT * FROM c'])
      expect(judge(dialect, sql, [t]), sql).toMatchObject({ allowed: true })
    for (const sql of [
      'SELECT a FROM other',
      'SELECT * FROM t',
      'SELECT secret FROM t',
      'SELECT a FROM elsewhere.t',
      'SELECT a FROM t WHERE secret = 1',
    ])
      expect(judge(dialect, sql, [t]), sql).toMatchObject({ allowed: false })
  })
})

describe('items after a comma in FROM', () => {
  const table = (name: string, columns: readonly string[], hidden: readonly string[]): AllowedTable => ({
    database: 'd',
    schema: 'main',
    name,
    columns,
    hidden,
  })
  const TABLES = [table('orders', ['id', 'items'], []), table('users', ['id'], ['password'])]

  test.each(['bigquery', 'redshift'] as const)('%s: allows an unnested column of a table on its left', (dialect) => {
    expect(judge(dialect, 'SELECT i.sku FROM orders o, o.items i', TABLES)).toMatchObject({ allowed: true })
  })

  test.each([
    ['SELECT u.password FROM orders o, main.users u', 'column'],
    ['SELECT u.password FROM orders users, users u', 'column'],
    ['SELECT u.password FROM orders main, main.users u', 'column'],
    ['SELECT p FROM users u, u.password p', 'column'],
    ['SELECT i.sku FROM orders o, other.items i', 'table'],
  ])('%s is refused for a hidden column or an unknown table', (sql, code) => {
    for (const dialect of ['bigquery', 'redshift'] as const)
      expect(judge(dialect, sql, TABLES), dialect).toMatchObject({ allowed: false, code })
  })

  test('are tables in other dialects, whatever the tables to their left are called', () => {
    for (const dialect of ['mysql', 'trino', 'mssql'] as const) {
      expect(judge(dialect, 'SELECT i.sku FROM orders o, o.items i', TABLES), dialect).toMatchObject({ code: 'table' })
      expect(judge(dialect, 'SELECT u.password FROM orders main, main.users u', TABLES), dialect).toMatchObject({
        code: 'column',
      })
      expect(judge(dialect, 'SELECT u.id FROM orders main, main.users u', TABLES), dialect).toMatchObject({
        allowed: true,
      })
    }
  })
})

describe('the executed text is the judged text', () => {
  test('drops comments and the last semicolon', () => {
    expect(read('SELECT 1 -- one\n , 2 /* two */ ;', 'trino').statements[0]!.sql).toBe('SELECT 1  \n , 2')
  })

  test('keeps -- without a space in MySQL, as arithmetic', () => {
    expect(read('SELECT 1--1 # end', 'mysql').statements[0]!.sql).toBe('SELECT 1--1')
  })

  test('keeps a comment look-alike inside a string', () => {
    expect(read('SELECT \'/* a */\', "-- b" FROM t', 'mysql').statements[0]!.sql).toBe(
      'SELECT \'/* a */\', "-- b" FROM t',
    )
  })
})

describe('a statement that attacks the parser', () => {
  test.each([
    ['a long chain of conditions', `SELECT a FROM t WHERE ${'a = 1 AND '.repeat(5_000)}TRUE`],
    ['a long sum', `SELECT ${'1 + '.repeat(5_000)}1`],
    ['a chain of CASEs', `SELECT ${'CASE WHEN 1 THEN 1 END AND '.repeat(2_000)}1`],
    ['deep brackets', `SELECT ${'('.repeat(2_000)}1${')'.repeat(2_000)}`],
    ['a chain of casts', `SELECT a${' IS NOT NULL'.repeat(2_000)} FROM t`],
  ])('%s is refused, and the next statement still parses', (_what, sql) => {
    expect(judge('mysql', sql)).toMatchObject({ allowed: false, code: 'unreadable' })
    expect(judge('mysql', 'SELECT 1')).toMatchObject({ allowed: true })
  })

  test('stack exhaustion and a syntax error have different messages', () => {
    const failing = (error: Error): ParsedSql =>
      parseDialect('SELECT 1', PARSED_DIALECTS.trino, {
        names: {},
        parse: () => {
          throw error
        },
      })
    expect(failing(new RangeError('Maximum call stack size exceeded'))).toEqual({
      statements: [],
      error: 'it is nested too deeply to be checked',
    })
    expect(failing(new Error('sql parser error: Expected: an expression'))).toEqual({
      statements: [],
      error: 'Expected: an expression',
    })
  })

  test('accepts a long list, a wide SELECT and many WHENs', () => {
    expect(
      judge('mysql', `SELECT a FROM t WHERE a IN (${Array.from({ length: 3_000 }, (_, i) => i).join(', ')})`),
    ).toMatchObject({
      allowed: true,
    })
    expect(
      judge('mysql', `SELECT ${Array.from({ length: 500 }, (_, i) => `a${i} + 1 AS c${i}`).join(', ')} FROM t`),
    ).toMatchObject({
      allowed: true,
    })
    expect(judge('mysql', `SELECT CASE ${'WHEN a = 1 THEN 2 '.repeat(500)} END FROM t`)).toMatchObject({
      allowed: true,
    })
  })
})
