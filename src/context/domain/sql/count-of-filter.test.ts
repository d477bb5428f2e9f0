import { expect, test } from 'vitest'
import { countOfFilter, mayCountNothing } from './count-of-filter.ts'
import { STANDARD_LEX, type SqlDialect } from './dialect.ts'

const dialect = { name: 'any', grammar: { lex: STANDARD_LEX } } as unknown as SqlDialect

test.each([
  [
    "SELECT count(*), sum(x) FROM t WHERE s = 'hamilton' -- note\nORDER BY 1 LIMIT 3;",
    "SELECT count(*) AS n FROM t WHERE s = 'hamilton'",
  ],
  [
    'WITH a AS (SELECT x FROM t GROUP BY x) SELECT max(x) FROM a JOIN b USING (x)',
    'WITH a AS (SELECT x FROM t GROUP BY x) SELECT count(*) AS n FROM a JOIN b USING (x)',
  ],
  ['SELECT sum(x) IS DISTINCT FROM 0 FROM t HAVING 1', 'SELECT count(*) AS n FROM t'],
])('%s is counted by %s', (sql, count) => expect(countOfFilter(sql, dialect)).toBe(count))

test.each([
  'SELECT 0',
  'SELECT x, count(*) FROM t GROUP BY x',
  'SELECT 1 FROM t UNION SELECT 0 FROM u',
  "SELECT 'open",
])('%s has no filter that could be counted', (sql) => expect(countOfFilter(sql, dialect)).toBeUndefined())

const result = (...rows: (string | number | bigint | null)[][]) => ({ columns: [], rows, truncated: false })
test('only one row with a 0 or a blank may be an aggregate over no rows', () => {
  expect([[[0]], [[0n]], [['0']], [[null]], [['x', null]]].map((rows) => mayCountNothing(result(...rows)))).toEqual(
    Array(5).fill(true),
  )
  expect([[], [[1]], [['']], [[0], [0]]].map((rows) => mayCountNothing(result(...rows)))).toEqual(Array(4).fill(false))
})
