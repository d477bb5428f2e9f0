import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cell } from '../../context/domain/sql/query.ts'
import { compareTables } from './compare-tables.ts'
import { comparisonFields, type Table } from './comparison.ts'

const compare = (expected: Table, found: Table, given: Parameters<typeof comparisonFields.parse>[0] = {}) =>
  compareTables(expected, found, comparisonFields.parse(given))
const table = (columns: readonly string[], rows: readonly (readonly Cell[])[]): Table => ({
  columns: columns.map((name) => ({ name })),
  rows,
})

const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constantFrom<Cell>(null, true, false, '', ' ', 0, -0, 1, '1', '007', Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom<Cell>('12.3%', '$5', '(5)', '2026-03', '2026-03-01', '2026-03-01T00:00:00Z', '1,234', '1e999', '-'),
  fc.integer({ min: -5, max: 5 }),
  fc.double(),
  fc.bigInt(),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const COLUMNS = ['a', 'b', 'c', 'd']
const anyTable = fc
  .record({ width: fc.integer({ min: 0, max: 4 }), rows: fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }) })
  .map(({ width, rows }) => table(COLUMNS.slice(0, width), rows))
const options = fc.record(
  {
    ordered: fc.boolean(),
    extra_columns: fc.boolean(),
    match: fc.constantFrom('auto', 'name', 'content'),
    relative: fc.double({ min: 0, max: 1, noNaN: true }),
    absolute: fc.double({ min: 0, max: 10, noNaN: true }),
    decimals: fc.integer({ min: 0, max: 15 }),
  },
  { requiredKeys: [] },
)
const fullTable = (least: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: least, max: 8 }))
    .chain(([width, height]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
    )
    .map((rows) => table(COLUMNS.slice(0, rows[0]?.length ?? 0), rows))

/** The same rows and columns in a different order. */
const shuffled = (given: Table) =>
  fc
    .tuple(
      fc.shuffledSubarray([...given.rows.keys()], { minLength: given.rows.length }),
      fc.shuffledSubarray([...given.columns.keys()], { minLength: given.columns.length }),
    )
    .map(([rows, columns]): Table => ({
      columns: columns.map((at) => given.columns[at]!),
      rows: rows.map((row) => columns.map((at) => given.rows[row]![at]!)),
    }))

describe('comparison of arbitrary tables', () => {
  test('never throws, and a table equals itself', () => {
    fc.assert(
      fc.property(anyTable, anyTable, options, (a, b, given) => {
        compare(a, b, given)
        expect(compare(a, a, given)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  test('shuffled rows and columns are equal, by name and by content', () => {
    fc.assert(
      fc.property(
        fullTable(1).chain((given) => fc.tuple(fc.constant(given), shuffled(given))),
        options,
        ([given, other], settings) => {
          const rest = { ...settings, ordered: false }
          expect(compare(given, other, rest)).toBeUndefined()
          const nameless = { ...other, columns: other.columns.map((_column, i) => ({ name: `x${i}` })) }
          if (rest.match !== 'name') expect(compare(given, nameless, rest)).toBeUndefined()
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is symmetric', () => {
    fc.assert(
      fc.property(fullTable(1), fullTable(1), fc.boolean(), (a, b, ordered) => {
        if (a.columns.length !== b.columns.length) return
        expect(compare(a, b, { ordered }) === undefined).toBe(compare(b, a, { ordered }) === undefined)
      }),
      { numRuns: 300 },
    )
  })

  test('finds one duplicated row', () => {
    fc.assert(
      fc.property(fullTable(1), fc.nat(), (given, at) => {
        const more = { ...given, rows: [...given.rows, given.rows[at % given.rows.length]!] }
        expect(compare(given, more)).toMatchObject({ missingRows: [], extraRows: { length: 1 } })
        expect(compare(more, given)).toMatchObject({ missingRows: { length: 1 }, extraRows: [] })
      }),
    )
  })

  test('finds and names one cell changed beyond the tolerance', () => {
    const numbers = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.integer({ min: -99, max: 99 })), {
      minLength: 1,
      maxLength: 10,
    })
    fc.assert(
      fc.property(numbers, fc.nat(), fc.boolean(), (pairs, chosen, hasNames) => {
        const rows = pairs.map(([text, number], i): Cell[] => [`${i} ${text}`, number * 10])
        const at = chosen % rows.length
        const wrong = rows.map(([key, number], i): Cell[] => [key!, i === at ? Number(number) + 4 : number!])
        const found = table(hasNames ? ['k', 'v'] : ['x', 'y'], wrong.toReversed())
        expect(compare(table(['k', 'v'], rows), found, { absolute: 4 })).toBeUndefined()
        expect(compare(table(['k', 'v'], rows), found, { absolute: 3 })).toMatchObject({
          total: 1,
          cells: [{ column: 'v', row: at + 1, expected: rows[at]![1], found: wrong[at]![1] }],
        })
      }),
    )
  })
})

test('compares thousands of rows of twenty columns, shuffled, without names and with noise', () => {
  const rows = Array.from({ length: 2_000 }, (_, row) =>
    Array.from({ length: 20 }, (_cell, i): Cell =>
      i % 4 === 0 ? `k${row % (i + 7)}` : i % 4 === 1 ? (row * 7919 * (i + 1)) % 10_007 : row / (i + 3),
    ),
  )
  const expected = table(
    rows[0]!.map((_, i) => `c${i}`),
    rows,
  )
  const noisy = rows
    .toReversed()
    .map((row) => row.map((one, i) => (i % 4 > 1 ? Number(one) * (1 + 2e-16) : one)).toReversed())
  const found = table(
    rows[0]!.map((_, i) => `x${i}`),
    noisy,
  )
  expect(compare(expected, found)).toBeUndefined()
  noisy[17]![5] = -1
  expect(compare(expected, found)).toMatchObject({ total: 1, cells: [{ row: 1_983, found: -1 }] })
})
