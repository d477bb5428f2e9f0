import { expect, test } from 'vitest'
import { sqliteDialect } from '../../context/warehouse/sqlite/dialect.ts'
import { compareTables } from './compare-tables.ts'
import { comparisonFields, type Table } from './comparison.ts'
import { strictComparison } from './strict-comparison.ts'

const strict = (sql: string) => strictComparison(comparisonFields.parse({}), { sql, dialect: sqliteDialect })
const table = (columns: string, ...rows: Table['rows']): Table => ({
  columns: columns.split(' ').map((name) => ({ name })),
  rows,
})
const REGIONS = table('region revenue', ['North', 10], ['South', 20])
const MOVED = 'the columns are in another order: revenue, region'

test.each([
  ['the same table', table('region revenue', ['North', 10], ['South', 20]), undefined],
  ['other names', table('area total', ['North', '10.0'], ['South', 20]), undefined],
  ['other order of rows', table('region revenue', ['South', 20], ['North', 10]), undefined],
  ['swapped columns', table('revenue region', [10, 'North'], [20, 'South']), MOVED],
  [
    'swapped columns of other names',
    table('a b', [10, 'North'], [20, 'South']),
    'the columns are in another order: a, b',
  ],
  ['swapped names', table('revenue region', ['North', 10], ['South', 20]), MOVED],
  [
    'one column more',
    table('region revenue n', ['North', 10, 1], ['South', 20, 2]),
    expect.stringMatching(/2 columns/),
  ],
  ['one column less', table('region', ['North'], ['South']), expect.stringMatching(/revenue/)],
])('compares columns by position: %s', (_what, found, reason) =>
  expect(compareTables(REGIONS, found, strict('select region, revenue from r'))?.reason).toEqual(reason),
)

test('distinguishes empty tables by the number of columns', () => {
  expect(compareTables(table('a b'), table('c d'), strict('select a, b from t'))).toBeUndefined()
  expect(compareTables(table('a b'), table('a'), strict('select a, b from t'))?.reason).toMatch(/b/)
})

test.each([
  ['select a from t order by a', true],
  ['select a from t union select b from u\n-- by size\nORDER /* x */ BY 1 limit 3', true],
  ['select a from (select a from t order by a)', false],
  ['with t as (select a from u order by a limit 3) select a from t', false],
  ['select sum(a) over (order by b) from t', false],
  ["select 'order by' from t -- order by a", false],
])('rows of %j are in order: %s', (sql, ordered) => expect(strict(sql).ordered).toBe(ordered))
