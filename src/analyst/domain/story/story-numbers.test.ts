import { expect, test } from 'vitest'
import { PLAIN } from '../../../kernel/domain/view/view.ts'
import { numbersIn, writtenLike } from '../citation/number-in-text.ts'
import { layOutStory } from './lay-out-story.ts'
import { readStory } from './read-story.ts'
import { bindNumbers, wrongNumbers } from './story-numbers.ts'
import { storyText } from './story-text.ts'
import type { StoryResult } from './story.ts'

const ID = 'q_0123456789ab'
type Rows = StoryResult['rows']
const result = (rows: Rows, names = ['month', 'revenue', 'change']): StoryResult => ({
  columns: names.map((name) => ({ name, type: name === 'month' ? 'text' : 'number' })),
  rows,
  cut: false,
})
const BEFORE: Rows = [
  ['2026-01', 1000, 0.12],
  ['2026-02', 1500.5, 0.5],
]

/** The story as a terminal shows it, bound to the rows of one day and read on another. */
function read(text: string, then: Rows, now: Rows, names?: string[]): { text: string; notices: readonly string[] } {
  const bound = bindNumbers(readStory(text).blocks, new Map([[ID, result(then, names)]])).get(ID)!
  const { blocks, notices } = layOutStory(text, new Map([[ID, { ...result(now, names), bound: bound.bound }]]))
  return { text: storyText(blocks, PLAIN), notices }
}

test.each<[string, string, Rows, string]>([
  ['the cell changed', `It is [1,000](${ID}.revenue.1).`, [['2026-01', 1234.4, 0.1]], 'It is 1,234.'],
  ['the cell did not', `It is [1,000](${ID}.revenue.1).`, BEFORE, 'It is 1,000.'],
  [
    'the row moved',
    `January had [$1.0k](${ID}.revenue.1).`,
    [
      ['2025-12', 7, 0],
      ['2026-01', 2000, 0.1],
    ],
    'January had $2.0k.',
  ],
  [
    'the sum changed',
    `Together [2,500.50](${ID}.revenue).`,
    [
      ['2026-01', 1, 0],
      ['2026-02', 2, 0],
    ],
    'Together 3.00.',
  ],
  ['a share of one is a percentage', `Up [12 %](${ID}.change.1).`, [['2026-01', 1, 0.07]], 'Up 7 %.'],
  ['in a list', `- It is [1,000](${ID}.revenue.1).`, [['2026-01', 9, 0.1]], '- It is 9.'],
  ['in a table by hand', `| a |\n| --- |\n| [1,000](${ID}.revenue.1) |`, [['2026-01', 9, 0.1]], 'a\n9'],
])('a bound number follows its cell: %s', (_, text, now, shown) =>
  expect(read(text, BEFORE, now)).toEqual({ text: shown, notices: [] }),
)

test.each<[string, string[], Rows, Rows, string]>([
  ['the only row, whose other number changed too', ['orders', 'revenue'], [[3, 100]], [[4, 120]], 'It is 120.'],
  [
    'a row that a number after it names',
    ['revenue', 'year'],
    [
      [100, 2025],
      [100, 2024],
    ],
    [
      [300, 2026],
      [120, 2025],
      [100, 2024],
    ],
    'It is 120.',
  ],
])('a bound number finds %s', (_, names, then, now, shown) =>
  expect(read(`It is [100](${ID}.revenue.1).`, then, now, names)).toEqual({ text: shown, notices: [] }),
)

test.each<[string, string[], Rows, Rows, string]>([
  [
    'a row of the same name comes before it',
    ['region', 'quarter', 'revenue'],
    [['EU', 'Q1', 100]],
    [
      ['EU', 'Q2', 70],
      ['EU', 'Q3', 80],
    ],
    'no row has EU, Q1 now',
  ],
  [
    'several rows have its name and another number',
    ['region', 'revenue'],
    [
      ['EU', 100],
      ['EU', 50],
    ],
    [
      ['EU', 70],
      ['EU', 100],
    ],
    'several rows have EU',
  ],
  [
    'its rank has passed to another',
    ['rank', 'land', 'revenue'],
    [['#1', 'Chile', 100]],
    [['#1', 'Peru', 130]],
    'no row has #1, Chile now',
  ],
])('a bound number is marked, and shows no other row’s, when %s', (_, names, then, now, why) => {
  const { text, notices } = read(`It is [100](${ID}.revenue.1).`, then, now, names)
  expect(text).toBe(`It is 100(≠ ${why}).`)
  expect(notices).toEqual([`1 number differs from the data. 100: ${why}.`])
})

const TWO: Rows = [
  [1, 50],
  [2, 60],
]

test('the number of a single row is marked when the result has several rows', () => {
  const { notices } = read(`It is [100](${ID}.revenue.1).`, [[3, 100]], TWO, ['orders', 'revenue'])
  expect(notices).toEqual(['1 number differs from the data. 100: the result has 2 rows now.'])
})

test('a number without its row is marked, and listed at the top of the story', () => {
  expect(read(`January had [1,000](${ID}.revenue.1).`, BEFORE, [['2026-02', 1500.5, 0.5]])).toEqual({
    text: 'January had 1,000(≠ no row has 2026-01 now).',
    notices: ['1 number differs from the data. 1,000: no row has 2026-01 now.'],
  })
})

test('numbers from no query are marked everywhere in the text, and listed at the top', () => {
  const { text, notices } = read('47 shops, **999** in all. `12` is code.\n\n> And 37 %.', BEFORE, BEFORE)
  expect(text).toBe('47(?) shops, **999(?)** in all. `12` is code.\n\n> And 37 %(?).')
  expect(notices).toEqual(['3 numbers here come from no query: 47, 999, 37 %.'])
})

test('a further number in a cited number’s label is marked, and refused when saved', () => {
  const text = `It is [1,000 of 7,777](${ID}.revenue.1).`
  expect(wrongNumbers(readStory(text).blocks, new Map([[ID, result(BEFORE)]]))).toMatchObject([{ text: '7,777' }])
  expect(read(text, BEFORE, BEFORE)).toEqual({
    text: 'It is 1,000 of 7,777(?).',
    notices: ['1 number here comes from no query: 7,777.'],
  })
})

test('a cited number that its cell does not have is marked with the cell', () => {
  const text = `It is [999](${ID}.revenue.1).`
  const { blocks, notices } = layOutStory(text, new Map([[ID, result(BEFORE)]]))
  expect(storyText(blocks, PLAIN)).toBe('It is 999(≠ 1000).')
  expect(notices).toEqual([`1 number differs from the data. 999: ${ID}, revenue, row 1 has 1000.`])
  expect(wrongNumbers(readStory(text).blocks, new Map([[ID, result(BEFORE)]]))).toMatchObject([
    { label: '999', found: '1000' },
  ])
})

test('a cell with hidden characters is shown, not obeyed', () => {
  const { notices } = layOutStory(`[Ann](${ID}.month.1)`, new Map([[ID, result([['\u001b[2J\u202eBob', 1, 1]])]]))
  expect(notices).toEqual([`1 number differs from the data. Ann: ${ID}, month, row 1 has \\u{1b}[2J\\u{202e}Bob.`])
})

test.each<[string, string, Rows, string]>([
  [
    'a rise that became a fall',
    `Revenue grew by [12 %](${ID}.change.1).`,
    [
      ['2026-01', 900, -0.03],
      ['2026-02', 1, 0],
    ],
    '"grew", but 12 % is -3 % now',
  ],
  [
    'two numbers that changed places',
    `It rose from [1,000](${ID}.revenue.1) to [1,500.50](${ID}.revenue.2).`,
    [
      ['2026-01', 1000, 0],
      ['2026-02', 800, 0],
    ],
    '"rose", but 1,000 and 1,500.50 are 1,000 and 800.00 now',
  ],
  [
    'a record that is none any more',
    `February was the best month with [1,500.50](${ID}.revenue.2).`,
    [
      ['2026-01', 2000, 0],
      ['2026-02', 1500.5, 0],
    ],
    '"best", but 1,500.50 is not the largest revenue now',
  ],
  [
    'a record that is named twice, told once',
    `The best month had [1,500.50](${ID}.revenue.2). The best was [1,500.50](${ID}.revenue.2).`,
    [
      ['2026-01', 2000, 0],
      ['2026-02', 1500.5, 0],
    ],
    '"best", but 1,500.50 is not the largest revenue now',
  ],
  [
    'a size that its number has no more',
    `Revenue almost doubled to [1,500](${ID}.revenue.2).`,
    [
      ['2026-01', 1000, 0],
      ['2026-02', 1100, 0],
    ],
    '"doubled", but 1,500 is 1,100 now',
  ],
])('words that no longer fit are told: %s', (_, text, now, doubt) =>
  expect(read(text, BEFORE, now).notices).toEqual([`The words may no longer fit the data: ${doubt}.`]),
)

test('marks a number in a handwritten table if no query returned it', () =>
  expect(read(`| month | revenue |\n| --- | --- |\n| 1 | 1,000 |\n| 2 | 7,777 |`, BEFORE, BEFORE)).toEqual({
    text: 'month  revenue\n1      1,000\n2      7,777(?)',
    notices: ['1 number here comes from no query: 7,777.'],
  }))

test('words that still fit are left unchanged', () =>
  expect(
    read(`Revenue grew by [12 %](${ID}.change.1). The best month had [1,500.50](${ID}.revenue.2).`, BEFORE, [
      ['2026-01', 1100, 0.2],
      ['2026-02', 1700, 0.4],
    ]),
  ).toEqual({ text: 'Revenue grew by 20 %. The best month had 1,700.00.', notices: [] }))

test('a bound number is not marked as wrong after its data changed', () => {
  const text = `It is [1,000](${ID}.revenue.1).`
  const bound = bindNumbers(readStory(text).blocks, new Map([[ID, result(BEFORE)]])).get(ID)!.bound
  const changed = new Map([[ID, { ...result([['2026-01', 5, 0]]), bound }]])
  expect(wrongNumbers(readStory(text).blocks, changed)).toEqual([])
})

test.each([
  ['1,188.69', 1188.69, 1300.5, '1,300.50'],
  ['$1.23M', 1_230_000, 2_345_678, '$2.35M'],
  ['$1.23M', 1_230_000, 950, '$950'],
  ['1.234,5', 1234.5, 99_999.25, '99.999,3'],
  ['12%', 0.12, -0.035, '-4%'],
  ['1,250', -1250, -300, '300'],
  ['+5', 5, 7, '+7'],
  ['999', 999, 12_345, '12,345'],
  ['10000', 10_000, 20_000, '20000'],
  ['€ 40', 40, 0, '€ 0'],
])('%s, once %d and now %d, is written %s', (text, was, now, written) =>
  expect(writtenLike(numbersIn(text)[0]!, { was, now })).toBe(written),
)

test('half of a year is not a size', () =>
  expect(read(`The second half had [1,000](${ID}.revenue.1).`, BEFORE, [['2026-01', 1700, 0.4]]).notices).toEqual([]))
