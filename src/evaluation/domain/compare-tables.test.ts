import { describe, expect, test } from 'vitest'
import type { Cell } from '../../context/domain/sql/query.ts'
import { compareTables } from './compare-tables.ts'
import { comparisonFields, type Table } from './comparison.ts'

type Options = Parameters<typeof comparisonFields.parse>[0]

const table = (columns: string | readonly string[], ...rows: readonly (readonly Cell[])[]): Table => ({
  columns: (typeof columns === 'string' ? columns.split(' ') : columns)
    .filter((name) => name !== '')
    .map((name) => ({ name: name.split(':')[0]!, ...(name.includes(':') && { type: name.split(':')[1]! }) })),
  rows,
})
const compare = (expected: Table, found: Table, options: Options = {}) =>
  compareTables(expected, found, comparisonFields.parse(options))
const isSame = (expected: Cell, found: Cell, options: Options = {}, type = '') =>
  compare(table(`v${type}`, [expected]), table(`v${type}`, [found]), options) === undefined

describe('cell comparison', () => {
  test.each<readonly [Cell, Cell]>([
    ['5', 5],
    ['12.50', 12.5],
    ['1,234', 1234],
    ['1,234,567.25', 1_234_567.25],
    ['1.234,50', 1234.5],
    ['12,50', 12.5],
    ['1e3', 1000],
    ['-5', -5],
    ['−5', -5],
    ['$1,234.50', 1234.5],
    ['€ 12,50', 12.5],
    ['12.50 EUR', 12.5],
    ['-$5', -5],
    ['($1,234.50)', -1234.5],
    ['(5)', -5],
    ['$1,234.50', '$1,234.5'],
    ['$5', 'USD 5.00'],
    ['1,234', '1234'],
    ['12.3%', 0.123],
    ['12.3 %', '12.30%'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [9_007_199_254_740_993n, 9_007_199_254_740_993n],
    [5n, 5],
    [-0, 0],
    [0.1 + 0.2, 0.3],
    ['0.30000000000000004', 0.3],
    [0.1 + 0.2 - 0.3, 0],
    [Math.fround(0.1), 0.1],
    [Number.NaN, Number.NaN],
    [Number.NaN, 'NaN'],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01', '2026-03-01 00:00:00'],
    ['2026-03-01 00:00:00', '2026-03-01T00:00:00Z'],
    ['2026-03-01T02:00:00+02:00', '2026-03-01T00:00:00Z'],
    ['2026-03-01 10:30:00.500000', '2026-03-01T10:30:00.5Z'],
    ['2026-03', '2026-03-01'],
    [true, 'true'],
    [true, 1],
    [false, 0],
    [false, 'f'],
    [null, null],
    ['Paid', 'Paid  '],
    ['caf\u00e9', 'cafe\u0301'],
  ])('%o equals %o', (a, b) => {
    expect(isSame(a, b)).toBe(true)
    expect(isSame(b, a)).toBe(true)
  })

  test.each<readonly [Cell, Cell]>([
    [0.121, 0.124],
    [0.001, 0.004],
    [10_000_000, 10_000_050],
    [10_000_000, 10_000_001],
    [10_000_000_000.01, 10_000_000_000.02],
    [1e-13, 4e-13],
    [1.004, 1],
    [12.3, 0.123],
    ['0.5%', 0.5],
    ['50%', 50.5],
    [9_007_199_254_740_993n, 9_007_199_254_740_992n],
    ['12345678901234567.89', '12345678901234567.88'],
    ['007', '7'],
    ['007', 7],
    ['1.10', '1.1'],
    ['+49301234567', 49_301_234_567],
    ['$5', '€5'],
    ['1,234', 1.234],
    [5, '2005-01-01'],
    [2026, '2026-01-01'],
    [5, '5 items'],
    ['2026-03-01', '2026-03-02'],
    ['2026-03-01', '2026-03-01 00:00:01'],
    ['2026-03-01T00:00:00+02:00', '2026-03-01T00:00:00Z'],
    ['2026-03', '2026-03-02'],
    ['2026-02-30', '2026-03-02'],
    ['01/02/2026', '2026-02-01'],
    [null, 0],
    [null, ''],
    [null, 'null'],
    [null, Number.NaN],
    [null, false],
    [0, ''],
    [true, 2],
    [true, false],
    ['true', 1],
    ['Paid', 'paid'],
    ['a b', 'a  b'],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ])('%o does not equal %o', (a, b) => {
    expect(isSame(a, b)).toBe(false)
    expect(isSame(b, a)).toBe(false)
  })

  test('texts are numbers if the column has a numeric type', () => {
    expect(isSame('12.50', '12.5', {}, ':DECIMAL(18,2)')).toBe(true)
    expect(isSame('12.50', '12.5', {}, ':VARCHAR')).toBe(false)
    expect(isSame('12.3333333333333333', '12.33333333333333333333', {}, ':numeric')).toBe(true)
    expect(isSame('1 day', '1', {}, ':interval')).toBe(false)
  })

  test('a near-zero residue in a column of large numbers is zero', () => {
    const large = (rest: number) => table('v', [123_456.78], [rest])
    expect(compare(large(0), large(-1.4551915228366852e-11))).toBeUndefined()
    expect(compare(large(2.9103830456733704e-11), large(1.4551915228366852e-11))).toBeUndefined()
    expect(compare(large(0), large(0.00001))).toBeDefined()
    expect(compare(table('v', [1e9], [0.00001]), table('v', [1e9], [0.00002]))).toBeDefined()
  })

  test('a percent sign means hundredths, or percentage points if the column counts in percent', () => {
    const column = (name: string, cell: Cell) => table([name], [cell])
    expect(compare(column('share', 0.123), column('share', '12.3%'))).toBeUndefined()
    expect(compare(column('share_pct', 12.3), column('share_pct', '12.3%'))).toBeUndefined()
    expect(compare(column('growth', 12.3), column('growth', '12.3%'))).toBeUndefined()
    expect(compare(column('share', 0.5), column('share', '0.5%'))).toBeDefined()
  })
})

describe('tolerance', () => {
  test.each<readonly [Cell, Cell, Options, boolean]>([
    [100, 101, { relative: 0.01 }, true],
    [100, 101.1, { relative: 0.01 }, false],
    [-100, -101, { relative: 0.01 }, true],
    [0.3, 0.4, { absolute: 0.1 }, true],
    [0.3, 0.41, { absolute: 0.1 }, false],
    ['$100.00', 100.4, { absolute: 0.5 }, true],
    [0.121, 0.124, { decimals: 2 }, true],
    [0.121, 0.126, { decimals: 2 }, false],
    [1.005, 1.01, { decimals: 2 }, true],
    [-2.5, -3, { decimals: 0 }, true],
    [9_007_199_254_740_993n, 9_007_199_254_740_992n, { absolute: 1 }, true],
    ['a', 'b', { absolute: 1, relative: 1 }, false],
    [null, 0, { absolute: 1 }, false],
    ['2026-03-01', '2026-03-02', { absolute: 100_000 }, false],
  ])('%o against %o with %o: %o', (a, b, options, same) => expect(isSame(a, b, options)).toBe(same))

  test('is set for single columns by their expected name', () => {
    const [a, b] = [table('City Revenue', ['Ulm', 100]), table('City revenue', ['Ulm', 101])]
    expect(compare(a, b, { columns: { revenue: { relative: 0.02 } } })).toBeUndefined()
    expect(compare(a, b, { columns: { city: { relative: 0.02 } } })).toBeDefined()
    expect(compare(a, b, { columns: { profit: { relative: 0.02 } } })!.reason).toBe(
      'a tolerance is given for profit, which is no expected column',
    )
  })

  test('does not apply to years and ids if it is set for all columns', () => {
    const [a, b] = [table('year n', [2023, 100]), table('year n', [2024, 100.5])]
    expect(compare(a, b, { relative: 0.01 })!.cells).toEqual([{ column: 'year', row: 1, expected: 2023, found: 2024 }])
  })

  test('finds the maximum matching of rows, even if a greedy one leaves a row unmatched', () => {
    expect(compare(table('v', [1], [2]), table('v', [3], [2]), { absolute: 1 })).toBeUndefined()
    expect(compare(table('a b', [1, 5], [2, 1]), table('a b', [1.5, 1], [1.4, 5]), { absolute: 0.6 })).toBeUndefined()
    const chain = (shift: number) => Array.from({ length: 500 }, (_, i) => [i + shift])
    expect(compare(table('v', ...chain(0)), table('v', ...chain(1)), { absolute: 1 })).toBeUndefined()
    expect(compare(table('v', ...chain(0)), table('v', ...chain(2)), { absolute: 1 })).toBeDefined()
  })
})

describe('rows', () => {
  const people = table('name n', ['Ada', 1], ['Bo', 2], ['Cy', 3])

  test('match in any order, unless the order matters', () => {
    const turned = { ...people, rows: people.rows.toReversed() }
    expect(compare(people, turned)).toBeUndefined()
    expect(compare(people, turned, { ordered: true })!.reason).toBe('the rows come in another order')
    expect(compare(people, people, { ordered: true })).toBeUndefined()
  })

  test('are compared with their multiplicity', () => {
    const twice = table('v', ['a'], ['a'], ['b'])
    expect(compare(twice, table('v', ['a'], ['b'], ['b']))).toMatchObject({ reason: '1 of 3 rows differs' })
    expect(compare(twice, table('v', ['a'], ['b']))).toMatchObject({ missingRows: [['a']], extraRows: [] })
  })

  test('report the wrong cell if only one is wrong', () =>
    expect(compare(people, table('name n', ['Cy', 3], ['Bo', 7], ['Ada', 1]))).toEqual({
      reason: '1 of 3 rows differs',
      columns: [
        { expected: 'name', found: 'name' },
        { expected: 'n', found: 'n' },
      ],
      cells: [{ column: 'n', row: 2, expected: 2, found: 7 }],
      total: 1,
      rows: [{ row: 2, expected: ['Bo', 2], found: ['Bo', 7], differs: [1] }],
      missingRows: [],
      missing: 0,
      extraRows: [],
      extra: 0,
    }))

  test('are reported as missing and extra if they have nothing in common', () =>
    expect(compare(people, table('name n', ['Ada', 1], ['Bo', 2], ['Di', 9]))).toMatchObject({
      reason: '1 row missing, 1 row too many',
      missingRows: [['Cy', 3]],
      extraRows: [['Di', 9]],
      total: 0,
    }))

  test('are reported up to a limit, with their total', () => {
    const many = (value: number) => table('k v', ...Array.from({ length: 300 }, (_, i) => [`k${i}`, value]))
    const difference = compare(many(1), many(2))!
    expect(difference).toMatchObject({ reason: '300 of 300 rows differ', total: 300 })
    expect(difference.cells).toHaveLength(50)
  })

  test('are equal if both sides have none, and differ if only one side has none', () => {
    expect(compare(table('a b'), table('c'))).toBeUndefined()
    expect(compare(table('a'), table('b'), { match: 'name' })!.reason).toBe('no column of the answer is a')
    expect(compare(people, table('name n'))!.reason).toBe('3 rows expected, none found')
    expect(compare(table('name n'), people)!.reason).toBe('no rows expected, 3 found')
  })

  test('shorter or longer than the column list are compared as far as possible', () => {
    expect(compare(table('a b', [1]), table('a b', [1, null, 7]))).toBeUndefined()
    expect(compare(table('a b', [1]), table('a b', [1, 2]))!.cells).toEqual([
      { column: 'b', row: 1, expected: null, found: 2 },
    ])
  })

  test('are compared even if a column has mixed types', () => {
    const mixed = table('v', ['a'], [1], [true], [null], ['2026-01-01'], [5n], ['12.50'])
    expect(
      compare(mixed, table('v', [12.5], ['5'], ['2026-01-01 00:00'], [null], [true], ['1'], ['a'])),
    ).toBeUndefined()
    expect(compare(mixed, table('v', [12.5], ['5'], ['2026-01-01 00:00'], [0], [true], ['1'], ['a']))).toMatchObject({
      cells: [{ expected: null, found: 0 }],
    })
  })
})

test('are shown whole side by side under the matched columns if they differ', () => {
  const expected = table('month revenue gone', ['2025-01', 10, 'x'], ['2025-02', 20, 'y'])
  const found = table('revenue month', [10, '2025-01'], [21, '2025-02'])
  const difference = compare(expected, found)!
  expect(difference.columns.filter((one) => one.found !== null).map((one) => one.expected)).toEqual([
    'month',
    'revenue',
  ])
  expect(difference.rows).toEqual([{ row: 2, expected: ['2025-02', 20], found: ['2025-02', 21], differs: [1] }])
})

describe('columns', () => {
  test('match by name, ignoring case, order, spaces and underscores, and extra ones are allowed', () => {
    const expected = table('order_id total', [1, 10], [2, 20])
    expect(compare(expected, table(['Total', 'Order ID', 'note'], [20, 2, 'x'], [10, 1, 'y']))).toBeUndefined()
    expect(
      compare(expected, table(['Total', 'Order ID', 'note'], [20, 2, 'x']), { extra_columns: false })!.reason,
    ).toBe('2 columns expected, 3 found: Total, Order ID, note')
  })

  test('are not swapped if all names are present', () => {
    const expected = table('returned orders', [5, 10])
    expect(compare(expected, table('returned orders', [10, 5]))).toMatchObject({ total: 2 })
    expect(compare(expected, table('orders n', [5, 10]))).toBeDefined()
    expect(compare(expected, table('orders n', [5, 10]), { match: 'content' })).toBeUndefined()
    expect(compare(expected, table('n orders', [5, 10]))).toBeUndefined()
  })

  test('match by content if names differ', () => {
    const expected = table('region revenue', ['North', 10.5], ['South', 20])
    expect(compare(expected, table('n area x', [20, 'South', 1], ['10.50', 'North', 2]))).toBeUndefined()
    expect(compare(expected, table('n area x', [20, 'North', 1], ['10.50', 'South', 2]))).toBeDefined()
    expect(compare(expected, table('n area', [20, 'South'], [10.4, 'North']))).toMatchObject({
      columns: [
        { expected: 'region', found: 'area' },
        { expected: 'revenue', found: 'n' },
      ],
      cells: [{ column: 'revenue', row: 1, expected: 10.5, found: 10.4 }],
    })
    expect(compare(expected, table('n area', [20, 'South'], [10.5, 'North']), { match: 'name' })).toMatchObject({
      reason: 'no column of the answer is region, revenue',
    })
  })

  test('are distinguished by their rows if they contain the same values', () => {
    const expected = table('a b c', [1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 1, 1])
    expect(compare(expected, table('z x y', [3, 1, 2], [1, 2, 3], [2, 3, 1], [1, 1, 1]))).toBeUndefined()
    expect(compare(expected, table('z x y', [3, 2, 1], [1, 2, 3], [2, 1, 3], [1, 1, 1]))).toBeDefined()
  })

  test('are distinguished by content if they have the same name', () => {
    const expected = table('id id', [1, 'a'], [2, 'b'])
    expect(compare(expected, table('id id', ['b', 2], ['a', 1]))).toBeUndefined()
    expect(compare(expected, table('id id', ['a', 2], ['b', 1]))).toBeDefined()
    expect(compare(expected, table('id', [1], [2]))!.reason).toBe('no column of the answer is id')
    expect(compare(table('a_b ab', [1, 2]), table('ab a_b', [2, 1]))).toBeUndefined()
    expect(compare(table('a_b ab', [1, 2]), table('ab a_b', [1, 2]))).toBeDefined()
  })

  test('report the differing number even if their names differ', () =>
    expect(compare(table('revenue', [100]), table('n', [90]))!.cells).toEqual([
      { column: 'revenue', row: 1, expected: 100, found: 90 },
    ]))

  test('are compared in bounded time even if a dozen are alike', () => {
    const alike = (shift: number): Table => ({
      columns: Array.from({ length: 16 }, (_, i) => ({ name: `${shift}c${i}` })),
      rows: Array.from({ length: 64 }, (_, row) =>
        Array.from({ length: 16 }, (_cell, i) => ((row * (i + 3 + shift) + shift) % 2 === 0 ? 0.1 : 0.2)),
      ),
    })
    expect(compare(alike(0), alike(1))).toBeDefined()
  })
})
