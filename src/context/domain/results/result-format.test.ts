import { expect, test } from 'vitest'
import { screenView } from '../../../kernel/domain/view/view.ts'
import { displayWidth } from '../../../kernel/domain/view/width.ts'
import { parquetTypes } from './parquet-types.ts'
import { formatOfFile, resultText } from './result-format.ts'
import { resultTable } from './result-table.ts'

const RESULT = {
  columns: [
    { name: 'id', type: 'HUGEINT' },
    { name: 'price', type: 'DECIMAL(10,2)' },
    { name: 'note', type: 'VARCHAR' },
    { name: 'paid', type: 'BOOLEAN' },
    { name: 'id', type: 'VARCHAR' },
  ],
  rows: [
    [1, 37, 'plain', true, 'x'],
    [12345678901234567890n, 0.5, '=SUM(A1), "q"\nnext', false, null],
    [null, null, '', null, 'NULL'],
  ],
}
const person = (columns: number) => screenView({ columns, now: new Date(0), hasColour: false, verbose: false })

test('CSV follows RFC 4180, keeps decimals, and distinguishes NULL from the empty text', () => {
  expect(resultText(RESULT, 'csv')).toBe(
    'id,price,note,paid,id\r\n1,37.00,plain,true,x\r\n12345678901234567890,0.50,"=SUM(A1), ""q""\nnext",false,\r\n,,"",,NULL\r\n',
  )
})

test('prefixes texts that look like formulas, but not numbers, with an apostrophe for a spreadsheet', () => {
  const rows = [
    ['=1+1', -3],
    ['@x', 2],
    ['-1', 1],
    ['＝1+1', '-12345678901234567890.50'],
    ['\uFEFF=1+1', 2],
    ['ok', '=1+1'],
  ] as const
  const columns = [
    { name: '+sum', type: 'VARCHAR' },
    { name: 'n', type: 'DECIMAL(38,2)' },
  ]
  expect(resultText({ columns, rows }, 'csv', { spreadsheet: true })).toBe(
    "'+sum,n\r\n'=1+1,-3.00\r\n'@x,2.00\r\n'-1,1.00\r\n'＝1+1,-12345678901234567890.50\r\n'\uFEFF=1+1,2.00\r\nok,'=1+1\r\n",
  )
  expect(resultText({ columns, rows }, 'csv')).toContain('\r\n=1+1,-3.00\r\n')
})

test('JSON keeps every digit and renames duplicate columns, and JSON lines contain one row each', () => {
  const lines = resultText(RESULT, 'jsonl').trimEnd().split('\n')
  expect(lines[0]).toBe('{"id":1,"price":37.00,"note":"plain","paid":true,"id_1":"x"}')
  expect(lines[1]).toContain('"id":12345678901234567890,"price":0.50')
  expect(JSON.parse(resultText(RESULT, 'json'))).toHaveLength(3)
  expect(resultText({ columns: RESULT.columns, rows: [] }, 'json')).toBe('[]\n')
})

test('JSON in the database stays JSON in the answer, unless it is invalid', () => {
  const columns = [{ name: 'j', type: 'JSON' }]
  expect(resultText({ columns, rows: [['{"a":[1]}'], ['{"a":… [cut'], ['"s"']] }, 'jsonl')).toBe(
    '{"j":{"a":[1]}}\n{"j":"{\\"a\\":… [cut"}\n{"j":"s"}\n',
  )
})

test('a table right-aligns numbers, distinguishes NULL from text and empty, and fits the screen', () => {
  const lines = resultTable(RESULT, person(60))
  expect(lines[0]).toMatch(/^ *id {2}price {2}note/)
  expect(lines[2]).toMatch(/ 1 {2}37\.00 {2}plain/)
  expect(lines[3]).toContain('↵')
  expect(lines[4]).toMatch(/NULL {3}NULL .*NULL {3}'NULL'$/)
  for (const width of [30, 40, 60, 200])
    for (const line of resultTable(RESULT, person(width))) expect(displayWidth(line)).toBeLessThanOrEqual(width)
})

test('wide characters take two columns', () => {
  const columns = [
    { name: 'k', type: 'VARCHAR' },
    { name: 'n', type: 'INTEGER' },
  ]
  const lines = resultTable(
    {
      columns,
      rows: [
        ['消息', 1],
        ['ab', 22],
      ],
    },
    person(40),
  )
  expect(lines.slice(2)).toEqual(['消息   1', 'ab    22'])
})

test('prints one line per column if the columns do not fit the screen or the result is expanded', () => {
  const columns = Array.from({ length: 30 }, (_, i) => ({ name: `column_${i}`, type: 'INTEGER' }))
  const lines = resultTable({ columns, rows: [columns.map((_, i) => i)] }, person(80))
  expect(lines).toHaveLength(31)
  expect(lines[2]).toBe('column_1   1')
  expect(resultTable(RESULT, person(80), { expanded: true })[1]).toBe('id     1')
})

test('the cost of a huge cell depends only on its shown part', () => {
  const columns = [{ name: 't', type: 'VARCHAR' }]
  const [, , line] = resultTable({ columns, rows: [['é消'.repeat(50_000_000)]] }, person(40))
  expect(displayWidth(line!)).toBeLessThanOrEqual(40)
})

test('the file extension determines the format', () => {
  expect(['a.csv', 'a.JSON', 'a.ndjson', 'a.parquet', 'a.md', 'a'].map(formatOfFile)).toEqual([
    'csv',
    'json',
    'jsonl',
    'parquet',
    'markdown',
    undefined,
  ])
})

test.each([
  ['INTEGER', [1], 'INTEGER'],
  ['int4', [1], 'BIGINT'],
  ['HUGEINT', [1n], 'BIGINT'],
  ['numeric', ['1.250', 3], 'DECIMAL(38,3)'],
  ['NUMERIC(12,4)', [1], 'DECIMAL(12,4)'],
  ['double precision', [1.5], 'DOUBLE'],
  ['timestamp with time zone', ['x'], 'TIMESTAMPTZ'],
  ['timestamp without time zone', ['x'], 'TIMESTAMP'],
  ['date', ['x'], 'DATE'],
  ['bytea', ['x'], 'BLOB'],
  ['unknown', [true, null], 'BOOLEAN'],
  ['unknown', ['a', 1], undefined],
  ['point', ['(1,2)'], undefined],
  ['INTEGER[]', ['[1]'], undefined],
] as const)('%s is written to Parquet as %s %s', (type, cells, expected) =>
  expect(parquetTypes({ name: 'c', type }, cells)[0]).toBe(expected),
)

test('text in a Markdown table ends neither its cell nor its row', () => {
  const columns = [
    { name: 'a|b', type: 'VARCHAR' },
    { name: 'c', type: 'VARCHAR' },
  ]
  const rows = [[String.raw`x\|y`, 'one\r\ntwo\u2028three\u0085| four |']]
  expect(resultText({ columns, rows }, 'markdown').trimEnd().split('\n')).toEqual([
    String.raw`| a\|b | c |`,
    '| --- | --- |',
    String.raw`| x\\\|y | one two three \| four \| |`,
  ])
})
