import { expect, test } from 'vitest'
import { cellText, differenceTable, type Difference } from './difference-rows.ts'

const difference: Difference = {
  reason: '1 of 3 rows differs',
  columns: [
    { expected: 'month', found: 'month' },
    { expected: 'gone', found: null },
    { expected: 'revenue', found: 'total' },
  ],
  cells: [{ column: 'revenue', row: 2, expected: 20, found: 21 }],
  total: 3,
  rows: [{ row: 2, expected: ['02', 20], found: ['02', 21], differs: [1] }],
  missing: 2,
  extra: 1,
  missing_rows: [['03', 'x', 30]],
  extra_rows: [['04', 40]],
}

test('rows are side by side under matched columns', () => {
  const table = differenceTable(difference)
  expect(table.columns).toEqual([
    { expected: 'month', found: 'month' },
    { expected: 'revenue', found: 'total' },
  ])
  expect(table.lost).toEqual(['gone'])
  expect(table.rows.map(({ expected, found }) => [expected, found])).toEqual([
    [
      ['02', 20],
      ['02', 21],
    ],
    [['03', 30], undefined],
    [undefined, ['04', 40]],
  ])
  expect([...table.rows[0]!.differs]).toEqual([1])
  expect(table.more).toEqual({ rows: 2, missing: 1, extra: 0 })
})

test('a run of an earlier version shows the cells that it stored, without the rest of the row', () => {
  const { rows: _rows, ...older } = difference
  const [row] = differenceTable(older).rows
  expect(row).toMatchObject({ row: 2, expected: [undefined, 20], found: [undefined, 21] })
  expect([...row!.differs]).toEqual([1])
})

test('a text that looks like a number is shown in quotes', () => {
  expect(cellText('5').text).toBe('"5"')
  expect(cellText(5).text).toBe('5')
  expect([null, '', undefined].map((cell) => cellText(cell).isNothing)).toEqual([true, true, true])
})
