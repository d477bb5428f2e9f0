import { expect, test } from 'vitest'
import { sqlTables } from './sql-tables.ts'

test.each<[string, readonly string[], readonly string[]]>([
  [
    'SELECT * FROM raw.orders o, raw.items JOIN raw.customers c ON true',
    ['raw.customers', 'raw.items', 'raw.orders'],
    [],
  ],
  ['INSERT INTO mart.sales (a, b) SELECT a, b FROM raw.orders', ['raw.orders'], ['mart.sales']],
  ['insert overwrite table mart.sales select 1 from `p.d.orders`', ['p.d.orders'], ['mart.sales']],
  ['CREATE OR REPLACE TABLE IF NOT EXISTS "Mart".sales AS SELECT 1 FROM a', ['a'], ['Mart.sales']],
  ['MERGE INTO dim USING stage.dim_new s ON 1=1 WHEN MATCHED THEN UPDATE SET a = 1', ['stage.dim_new'], ['dim']],
  ['WITH a AS (SELECT 1 FROM x), b (c) AS (SELECT 2 FROM a) SELECT * FROM a JOIN b USING (c)', ['x'], []],
  ['UPDATE t SET a = 1 FROM u WHERE b IS DISTINCT FROM c', ['u'], ['t']],
  ['DELETE FROM t WHERE EXTRACT(year FROM d) > (SELECT max(y) FROM z)', ['z'], ['t']],
  ['CREATE TEMP TABLE tmp AS SELECT * FROM a; INSERT INTO b SELECT * FROM tmp', ['a'], ['b']],
  ['SELECT * FROM {{ params.schema }}.orders JOIN orders_{{ ds }} JOIN kept -- FROM comment', ['kept'], []],
  ["{% if x %} SELECT 'FROM nowhere' FROM generate_series(1, 2), UNNEST(a) {% endif %}", [], []],
  ["COPY mart.sales FROM 's3://bucket/x'", [], ['mart.sales']],
  ['echo hello', [], []],
  ["SELECT 'unclosed FROM a", [], []],
])('finds the tables in: %s', (sql, reads, writes) => {
  expect(sqlTables(sql)).toEqual({ reads, writes })
})

test.each([
  ['braces', '{{ '.repeat(30_000)],
  ['commas', `SELECT 1 FROM ${'a, '.repeat(30_000)}`],
  ['dots', `SELECT 1 FROM ${'a.'.repeat(45_000)}`],
  ['WITH and brackets', `${'WITH a ( '.repeat(10_000)}`],
  ['creates', 'CREATE TEMP '.repeat(8_000)],
])('%s without an end are scanned a bounded number of times', (_what, sql) => {
  expect(sqlTables(`SELECT 1 ${sql}`)).toBeDefined()
})
