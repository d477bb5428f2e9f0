import { describe, expect, test } from 'vitest'
import { describeQuery, queryParameters, type MetabaseNames } from './metabase-query.ts'

const FIELDS: Readonly<Record<number, string>> = { 1: 'total', 2: 'created_at', 3: 'status', 4: 'user_id' }
const names: MetabaseNames = {
  table: (id) => (id === 9 ? 'public.orders' : undefined),
  field: (id) => (FIELDS[id] === undefined ? undefined : { table: 'public.orders', name: FIELDS[id]! }),
  card: (id) => (id === '7' ? 'Clean orders' : undefined),
  segment: (id) => (id === '1' ? 'Paid' : undefined),
  measure: () => undefined,
}
const old = (query: object) => describeQuery({ type: 'query', database: 1, query }, names)
const now = (stage: object) =>
  describeQuery({ 'lib/type': 'mbql/query', stages: [{ 'source-table': 9, ...stage }] }, names)
const exported = (stage: object) =>
  describeQuery({ stages: [{ 'source-table': ['Shop', 'public', 'orders'], ...stage }] }, names)

describe('Metabase query', () => {
  test.each<[string, unknown, unknown, string]>([
    ['equals', ['=', ['field', 3, null], 'paid'], ['=', {}, ['field', {}, 3], 'paid'], "orders.status = 'paid'"],
    [
      'one of',
      ['!=', ['field-id', 3], 'a', 'b'],
      ['!=', {}, ['field', {}, 3], 'a', 'b'],
      "orders.status not in ('a', 'b')",
    ],
    [
      'and, or',
      ['and', ['>', ['field', 1, null], 1], ['or', ['is-null', ['field', 3, null]], ['segment', 1]]],
      ['and', {}, ['>', {}, ['field', {}, 1], 1], ['or', {}, ['is-null', {}, ['field', {}, 3]], ['segment', {}, 1]]],
      'orders.total > 1 and (orders.status is null or Paid)',
    ],
    [
      'text',
      ['contains', ['field', 3, null], 'x', { 'case-sensitive': false }],
      ['contains', { 'case-sensitive': false }, ['field', {}, 3], 'x'],
      "orders.status contains 'x'",
    ],
    [
      'time',
      ['time-interval', ['field', 2, null], 'current', 'month', { 'include-current': true }],
      ['time-interval', {}, ['field', {}, 2], 'current', 'month'],
      'orders.created_at in the current month',
    ],
    [
      'between',
      [
        'between',
        ['field', 2, { 'temporal-unit': 'day' }],
        ['relative-datetime', -7, 'day'],
        ['relative-datetime', 'current'],
      ],
      [
        'between',
        {},
        ['field', { 'temporal-unit': 'day' }, 2],
        ['relative-datetime', {}, -7, 'day'],
        ['relative-datetime', {}, 'current'],
      ],
      'orders.created_at by day between 7 days ago and now',
    ],
    [
      'not',
      ['not', ['starts-with', ['field', 3, null], 'a']],
      ['not', {}, ['starts-with', {}, ['field', {}, 3], 'a']],
      "not (orders.status starts with 'a')",
    ],
  ])('describes a filter (%s) identically for every release', (_what, before, after, words) => {
    expect(old({ 'source-table': 9, filter: before })).toBe(`- From: public.orders\n- Where: ${words}`)
    expect(now({ filters: [after] })).toBe(`- From: public.orders\n- Where: ${words}`)
  })

  test('describes sums, computed columns, groups, order and joins of older releases', () => {
    expect(
      old({
        'source-query': { 'source-table': 'card__7', fields: [['field', 'total', { 'base-type': 'type/Float' }]] },
        joins: [
          {
            'source-table': 9,
            alias: 'o',
            condition: ['=', ['field', 4, null], ['field', 4, { 'join-alias': 'o' }]],
            strategy: 'inner-join',
          },
        ],
        expressions: { size: ['case', [[['>', ['field', 1, null], 100], 'large']], { default: 'small' }] },
        aggregation: [
          ['aggregation-options', ['distinct', ['field', 4, null]], { 'display-name': 'Buyers' }],
          ['share', ['>', ['field', 1, null], 5]],
          ['count'],
        ],
        breakout: [
          ['datetime-field', ['fk->', 4, 2], 'month'],
          ['field', 1, { binning: { strategy: 'num-bins', 'num-bins': 10 } }],
        ],
        'order-by': [
          ['desc', ['aggregation', 0]],
          ['asc', ['expression', 'size']],
        ],
        limit: 3,
      }),
    ).toBe(`- From: question "Clean orders"
- Columns: total

Then:

- Join: inner public.orders on orders.user_id = orders.user_id
- Computed: size = case when orders.total > 100 then 'large' else 'small' end
- Summarized: count(distinct orders.user_id) as "Buyers", share(orders.total > 5), count(*)
- By: orders.created_at through orders.user_id by month, orders.total in bins (10)
- Sorted by: count(distinct orders.user_id) as "Buyers" descending, size
- Limit: 3`)
  })

  test('describes exports, which name tables and columns directly', () => {
    const total = ['field', {}, ['Shop', 'public', 'orders', 'total']]
    expect(
      exported({
        expressions: [['-', { 'lib/expression-name': 'net' }, total, 1]],
        breakout: [
          ['field', { 'source-field': ['Shop', 'public', 'orders', 'user_id'] }, ['Shop', 'public', 'users', 'name']],
        ],
        aggregation: [['metric', {}, 'abc']],
      }),
    ).toBe(
      '- From: public.orders\n- Computed: net = orders.total - 1\n- Summarized: metric abc\n- By: users.name through orders.user_id',
    )
  })

  test('returns SQL unchanged, with its parameters', () => {
    const tags = {
      state: { type: 'text', 'display-name': 'State' },
      when: { type: 'dimension', dimension: ['field', {}, 2] },
      '#7-clean': { type: 'card' },
    }
    const query = { stages: [{ native: 'SELECT 1', 'template-tags': tags }] }
    expect(describeQuery(query, names)).toBe('```sql\nSELECT 1\n```')
    expect(queryParameters(query, names)).toEqual(['state (State, text)', 'when (orders.created_at)'])
    expect(queryParameters({ native: { query: 'SELECT 1', 'template-tags': tags } }, names)).toHaveLength(2)
  })

  test.each([
    null,
    7,
    'x',
    [],
    {},
    { query: null },
    { stages: [7] },
    { stages: {} },
    { query: { filter: [[]], joins: [3] } },
    { native: {} },
  ])('does not throw on a query of %j', (query) => {
    expect(() => describeQuery(query, names)).not.toThrow()
    expect(() => queryParameters(query, names)).not.toThrow()
  })
})
