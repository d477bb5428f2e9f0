import { expect, test } from 'vitest'
import { unmarked } from './styled.ts'
import { facts, table } from './table.ts'
import { PLAIN, screenView } from './view.ts'
import { displayWidth } from './width.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const screen = (columns: number, hasColour = false) => screenView({ columns, now: NOW, hasColour, verbose: false })

const ROWS = [
  ['D001', 'today', 'Queue in Postgres with everything that belongs to it', ''],
  ['D012', 'yesterday', '消息队列使用 RabbitMQ 而不是 Kafka 因为团队已经熟悉', '[proposed]'],
]
const COLUMNS = [{}, {}, { shrinks: true }, { tone: 'warning' }] as const

test('cells are aligned in any script, and no line ends in spaces', () => {
  expect(table(ROWS, COLUMNS, PLAIN, '  ')).toEqual([
    '  D001  today      Queue in Postgres with everything that belongs to it',
    '  D012  yesterday  消息队列使用 RabbitMQ 而不是 Kafka 因为团队已经熟悉   [proposed]',
  ])
})

test.each([20, 30, 40, 60, 80, 200])('no line is longer than a terminal of %i columns', (columns) => {
  for (const hasColour of [false, true])
    for (const line of table(ROWS, COLUMNS, screen(columns, hasColour), '  '))
      expect(displayWidth(unmarked(line))).toBeLessThanOrEqual(columns)
})

test('the shrinkable column is cut first, and the others stay whole', () => {
  expect(table(ROWS, COLUMNS, screen(50))[0]).toBe('D001  today      Queue in Postgres wi…')
  expect(table(ROWS, COLUMNS, screen(50))[1]).toMatch(/^D012 {2}yesterday {2}\S.*… +\[proposed\]$/)
})

test('a column that is empty in every row takes no room, and line breaks in a cell add no rows', () => {
  expect(table([['a', '', 'b\n  c']], [{}, {}, {}], PLAIN)).toEqual(['a  b c'])
  expect(table([], [{}], PLAIN)).toEqual([])
})

test('numbers are right-aligned', () => {
  expect(
    table(
      [
        ['a', '9'],
        ['b', '10'],
      ],
      [{}, { align: 'right' }],
      PLAIN,
    ),
  ).toEqual(['a   9', 'b  10'])
})

test('marks surround the cut cell and keep the alignment', () => {
  const marked = table(ROWS, COLUMNS, screen(50, true))
  expect(marked.map(unmarked)).toEqual(table(ROWS, COLUMNS, screen(50)))
  expect(marked[1]).not.toBe(unmarked(marked[1]!))
  const painted = table([['a b']], [{ paint: (text) => text.toUpperCase() }], PLAIN)
  expect(painted).toEqual(['A B'])
})

test('aligns values after their names', () => {
  expect(
    facts(
      [
        ['record', '/x'],
        ['decisions', '3'],
      ],
      PLAIN,
    ),
  ).toEqual(['  record     /x', '  decisions  3'])
})
