import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unmarked } from '../../../kernel/domain/view/styled.ts'
import { PLAIN, screenView } from '../../../kernel/domain/view/view.ts'
import { checkCitations } from './check-citations.ts'
import type { CitedQuery } from './figures-of.ts'
import { renderCitations } from './render-citations.ts'

const ID = 'q_0123456789ab'
const SALES: CitedQuery = {
  id: ID,
  columns: ['region', 'revenue', 'count(*)'].map((name) => ({ name })),
  rows: [
    ['North', '1234567.50', 3],
    ['South', -1250, 12],
  ],
  rowCount: 2,
  cut: false,
}
const check = (text: string, asked = '', queries: readonly CitedQuery[] = [SALES]) =>
  checkCitations(text, queries, asked).map(({ at: _at, query: _query, ...rest }) => rest)

test('marks a name that no row of the cited column contains', () => {
  const columns = ['town', 'n'].map((name) => ({ name, type: name === 'n' ? 'number' : 'text' }))
  const result = {
    id: 'q_0123456789ab',
    columns,
    rows: [
      ['Bern', 3],
      ['New Basel', 7],
    ],
    rowCount: 2,
    cut: false,
  }
  const found = (text: string, cut = false) =>
    checkCitations(text, [{ ...result, cut }]).map(({ text: label, state }) => `${label} ${state}`)
  expect(found('[Zurich](q_0123456789ab.town) leads.')).toEqual(['Zurich differs'])
  for (const right of ['[Bern](q_0123456789ab.town)', '[Basel](q_0123456789ab.town)', '[Town](q_0123456789ab.town)'])
    expect(found(`${right} leads.`)).toEqual([])
  expect(found('[the leader](q_0123456789ab.town) leads.')).toEqual([])
  expect(found('[Zurich](q_0123456789ab.town) leads.', true)).toEqual([])
  expect(found('[1](q_0123456789ab.n) leads.')).toEqual(['1 differs'])
})

test('a rounded number may have its word within the label', () => {
  const result = {
    id: 'q_0123456789ab',
    columns: [{ name: 'n', type: 'number' }],
    rows: [[1188.69]],
    rowCount: 1,
    cut: false,
  }
  const stateOf = (label: string) => checkCitations(`It was [${label}](q_0123456789ab.n.1).`, [result])[0]!.state
  expect(stateOf('about 1,200')).toBe('checked')
  expect(stateOf('exactly 1,200')).toBe('differs')
})

test.each([
  [`[1,234,567.50](${ID}.revenue.1)`, { text: '1,234,567.50', state: 'checked', column: 'revenue', row: 1 }],
  [`[$1.23M](${ID}.Revenue)`, { text: '$1.23M', state: 'checked', column: 'revenue', row: 1 }],
  [`a loss of [1,250](${ID}.revenue.2)`, { text: '1,250', state: 'checked', column: 'revenue', row: 2 }],
  [`[15](${ID}.count(*))`, { text: '15', state: 'checked', column: 'count(*)', by: 'sum' }],
  [`[7.5](${ID}.count(*))`, { text: '7.5', state: 'checked', column: 'count(*)', by: 'mean' }],
  [`[13](${ID}.count(*).2)`, { text: '13', state: 'differs', column: 'count(*)', row: 2, found: '12' }],
  [
    `[3](${ID}.count(*).9)`,
    { text: '3', state: 'differs', column: 'count(*)', row: 9, found: 'the result has 2 rows' },
  ],
  [
    `[99](${ID}.revenue)`,
    { text: '99', state: 'differs', column: 'revenue', found: '2 values from -1250 to 1234567.5' },
  ],
  [`[99](${ID}.profit)`, { text: '99', state: 'unsourced', column: 'profit', found: 'the result has no such column' }],
  ['[99](q_ffffffffffff.revenue)', { text: '99', state: 'unsourced', found: 'there is no such query' }],
  [
    `<citation-number id="${ID}" column="count(*)" row="1">3</citation-number>`,
    { text: '3', state: 'checked', column: 'count(*)', row: 1 },
  ],
] as const)('%s', (text, citation) => expect(check(text)).toEqual([citation]))

test.each([
  [`[North](${ID}.region.1)`, 'checked'],
  [`[South](${ID}.region.1)`, 'differs'],
  [`[East](${ID}.region.1)`, 'differs'],
])('a name is compared with its cell: %s', (text, state) => expect(check(text)).toMatchObject([{ state }]))

test('marks another number in a label if no result contains it', () => {
  expect(check(`[3 of 999](${ID}.count(*).1)`)).toEqual([
    { text: '3', state: 'checked', column: 'count(*)', row: 1 },
    { text: '999', state: 'unsourced' },
  ])
  for (const label of ['3 of 12', '3 in 2024', '3 (top 5)'])
    expect(check(`[${label}](${ID}.count(*).1)`).map(({ state }) => state)).toEqual(['checked'])
})

test('words that only describe a cell are not compared with it', () =>
  expect(check(`[the best region](${ID}.region.1) and [its total](${ID}.revenue.1)`)).toEqual([]))

test('for a column of numbers, the number of rows is not a figure', () => {
  const one = { ...SALES, rows: SALES.rows.slice(0, 1), rowCount: 1 }
  expect(check(`[1](${ID}.revenue)`, '', [one])).toMatchObject([{ state: 'differs', found: '1234567.5' }])
})

test('marks a number at the start of a line, but not a list or heading number', () =>
  expect(check('999 orders came.\n2. Second\n## 3 Results').map(({ text }) => text)).toEqual(['999']))

test('marks the numbers of a table that no result contains, except in its first column', () => {
  const table = '| rank | revenue | note |\n| ---: | ---: | --- |\n|7|1,234,567.50|in 9 shops|\n| 8 | **777** | 2024 |'
  expect(check(table).map(({ text, state }) => `${text} ${state}`)).toEqual(['777 unsourced'])
})

test('marks a number that no query returned, but not one from the question', () => {
  expect(check('There are 47 shops.')).toEqual([{ text: '47', state: 'unsourced' }])
  expect(check('There are 47 shops.', 'What of the 47 shops?')).toEqual([])
})

test('does not accept a sum over an incomplete result', () => {
  const part = { ...SALES, rowCount: 900, cut: true }
  expect(check(`[15](${ID}.count(*))`, '', [part])[0]!.state).toBe('differs')
})

test('marks a number cited from the wrong row', () =>
  expect(check(`[12](${ID}.count(*).1)`)[0]).toMatchObject({ state: 'differs', found: '3' }))

test('accepts 0-based rows if the answer counts from 0', () =>
  expect(check(`[3](${ID}.count(*).0) and [12](${ID}.count(*).1)`).map(({ state, row }) => [state, row])).toEqual([
    ['checked', 1],
    ['checked', 2],
  ]))

test('every citation is at its stated offset in any answer', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom(
            `[5](${ID}.revenue)`,
            '|',
            '```',
            '`',
            ' 12.5 % ',
            '1.234,5',
            '[',
            '](',
            '<',
            '2024',
            '-',
            '_',
            '\n',
          ),
          fc.string({ unit: 'binary', maxLength: 6 }),
        ),
        { maxLength: 40 },
      ),
      (parts) => {
        const text = parts.join('')
        for (const { at, text: number } of checkCitations(text, [SALES])) expect(text.startsWith(number, at)).toBe(true)
      },
    ),
  )
})

const TEXT = `North made [1,234](${ID}.revenue.1), with 47 shops and [3](${ID}.count(*).1) orders.`

test('marks unverified numbers in terminal output and explains the marks below', () => {
  const view = screenView({ columns: 80, now: new Date(0), hasColour: true, verbose: false })
  expect(unmarked(renderCitations(TEXT, checkCitations(TEXT, [SALES]), view)).split('\n')).toEqual([
    'North made 1,234(≠1), with 47(?) shops and 3 orders.',
    '',
    `(≠1) 1,234: ${ID}, revenue, row 1 has 1234567.50.`,
    '(?) 1 number that no query gave.',
  ])
})

test('leaves Markdown output unchanged', () =>
  expect(renderCitations(TEXT, checkCitations(TEXT, [SALES]), PLAIN)).toBe(TEXT))
