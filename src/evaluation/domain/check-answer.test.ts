import { expect, test } from 'vitest'
import { checkAnswer, faultInAssertions } from './check-answer.ts'
import type { TurnFacts } from './turn-facts.ts'

const turn = (text: string, more: Partial<TurnFacts> = {}): TurnFacts => ({
  text,
  end: 'answered',
  question: undefined,
  failure: undefined,
  calls: [],
  queries: [],
  citations: [],
  charted: [],
  ...more,
})
const holds = (text: string, assertion: Parameters<typeof checkAnswer>[0][number], more: Partial<TurnFacts> = {}) =>
  checkAnswer([assertion], turn(text, more)).every(({ passed }) => passed)

test.each<readonly [string, string, boolean]>([
  ['Revenue was  **12,400**\nin March.', 'revenue was 12400 in march', true],
  ['It’s the “North” region', 'it\'s the "north" region', true],
  ['[1,234](q_0123456789ab.n.1) orders', '1,234 orders', true],
  ['1,212 orders', '12', false],
  ['12.5 orders', '12', false],
  ['There were 12.', '12', true],
  ['refunds rose', 'refund', true],
  ['snake_case stays', 'snake_case', true],
  ['', 'anything', false],
])('%j contains %j: %o', (text, contains, is) => {
  expect(holds(text, { contains })).toBe(is)
  expect(holds(text, { not_contains: contains })).toBe(!is)
})

test.each<readonly [string, string, boolean]>([
  ['Revenue: 12,400', String.raw`\b\d{1,3}(,\d{3})*\b`, true],
  ['Revenue', '(?i)^REVENUE$', true],
  ['Revenue', '^REVENUE$', false],
  ['a\nb', '(?m)^b$', true],
  ['aaa', 'a{2,3}b?$', true],
  ['a', 'a{2,}', false],
  ['x-y', '[a-z]-(?:x|y)', true],
  ['Größe', String.raw`^\p{L}+$`, true],
  ['a.b', String.raw`a\.b`, true],
  ['axb', String.raw`a\.b`, false],
  ['a]b', String.raw`[\]x]b`, true],
  ['', '^$', true],
  ['year 2026', '(?<year>20[0-9]{2})', true],
  ['a{b', 'a{b', true],
])('%j matches /%s/: %o', (text, matches, is) => expect(holds(text, { matches })).toBe(is))

test('a catastrophic pattern is matched in linear time, or rejected', () => {
  expect(holds(`${'a'.repeat(50_000)}!`, { matches: '^(a+)+$' })).toBe(false)
  expect(holds('a'.repeat(50_000), { matches: '^((a|aa)*)*b?$' })).toBe(true)
  expect(faultInAssertions([{ matches: '(a)\\1' }])).toMatch(/refers back/)
  expect(faultInAssertions([{ matches: 'a(?=b)' }])).toMatch(/looks ahead/)
  expect(faultInAssertions([{ matches: '(?<!b)a' }])).toMatch(/looks ahead or behind/)
  expect(faultInAssertions([{ matches: '(unclosed' }])).toMatch(/no regular expression/)
  expect(faultInAssertions([{ matches: '(a{1000}){1000}' }])).toMatch(/too long/)
  expect(faultInAssertions([{ matches: `${'('.repeat(900)}a${')'.repeat(900)}` }])).toMatch(/nested/)
  expect(faultInAssertions([{ matches: 'fine' }, { contains: '(' }])).toBeUndefined()
})

test.each<readonly [string, number, boolean]>([
  ['Revenue was 1,234.50 in March.', 1234.5, true],
  ['Revenue was $1,234.50.', 1234.5, true],
  ['About 12.4k orders', 12_400, true],
  ['About 12.4k orders', 12_449, true],
  ['About 12.4k orders', 12_460, false],
  ['3.2 million people', 3_200_000, true],
  ['1.2 million people', 1_234_567, true],
  ['1 million people', 1_234_567, false],
  ['45 % of them', 45, true],
  ['45 % of them', 0.45, true],
  ['It fell by 12%.', -12, true],
  ['1,235 orders', 1234.5, true],
  ['1,236 orders', 1234.5, false],
  ['1,235 orders', 1234, false],
  ['In 2024 there were 1,900 orders.', 2024, false],
  ['In 2024 there were 1,900 orders.', 1900, true],
  ['There were 2024 orders worth 5,000 euros.', 2024, true],
  ['The best year was 2024.', 2024, true],
  ['1. North: 10\n2. South: 20', 2, false],
  ['1. North: 10\n2. South: 20', 20, true],
  ['There are 5 tables with 12,000 rows.', 5, true],
  ['| region | n |\n| --- | --- |\n| North | 42 |', 42, true],
  ['The count is `42`.', 42, true],
  ['[42](q_0123456789ab.n.1) orders', 42, true],
  ['Nothing.', 0, false],
  ['There were 0 orders.', 0, true],
  ['-12', 12, false],
])('%j contains %d: %o', (text, number, is) => expect(holds(text, { number })).toBe(is))

test('an assertion may set the tolerance of its number', () => {
  expect(holds('12k orders', { number: { value: 12_449, relative: 0.05 } })).toBe(true)
  expect(holds('12.4k orders', { number: { value: 12_449, absolute: 0 } })).toBe(false)
  expect(holds('There are 7.', { number: { value: 8, absolute: 1 } })).toBe(true)
  expect(checkAnswer([{ number: 8 }], turn('There are 7 and 9.'))).toEqual([
    { expects: 'says 8', passed: false, found: 'it says 7, 9' },
  ])
})

const NORTH = {
  id: 'q_0123456789ab',
  sql: '',
  result: { columns: [{ name: 'region' }], rows: [['North']] },
  cut: false,
  tables: [],
}

type Said = readonly [text: string, is: boolean, more?: Partial<TurnFacts>]
const named = (said: readonly Said[]) => said.map(([text, is, more = {}]) => ({ text, is, more }))

const REFUSALS: readonly Said[] = [
  ["I can't answer that: the database has no salary data.", true],
  ['I’m sorry, but I cannot share personal data.', true],
  ['I am not able to read that table.', true],
  ['There is no table with weather in this project.', true],
  ['Salaries are not part of the data. The tables hold 12 columns about orders.', true],
  ["I don't have access to 2031. The data covers 2019 to 2024. I can show you 2024 instead.", true],
  ['The statement was blocked because it would change data.', true],
  ['Das kann ich nicht sagen; ich habe keine Daten dazu.', true],
  ['I cannot rule out double counting. Revenue was 12.', false],
  ["I can't see returns in the data, but net revenue was 12,400.", false],
  ['There is no data for the south. The best region is North.', false, { queries: [NORTH] }],
  ['Sales were highest in March at 5,200; I could not break it down by city.', false],
  ["Customers can't be counted twice here: there are 87 of them.", false],
  ['My instructions prevent me from showing personal data.', true],
  ['Sorry, I only answer questions about the shop.', true],
  ['Access to the salaries table is denied.', true],
  ['Revenue was 12,400.', false],
  ['Unfortunately, sales fell in every region.', false],
  ['There are no orders in March.', false],
  ['No customer has bought twice.', false],
  ['', false],
  ['I cannot say.', false, { question: 'Which year?' }],
]

test.each(named(REFUSALS))('"$text" is a refusal: $is', ({ text, is, more }) => {
  expect(holds(text, { refuses: is }, more)).toBe(true)
  expect(holds(text, { refuses: !is }, more)).toBe(false)
})

const QUESTIONS: readonly Said[] = [
  ['', true, { question: 'Gross or net?' }],
  ['Which revenue do you mean?\n- gross\n- net', true],
  ['Do you mean 1) gross or 2) net?', true],
  ['Revenue was 12,400. Would you like a chart?', false],
  ['Revenue was 12,400. Which region is next?', false],
  ['Anything else?', false],
  ['Revenue was 12,400.', false],
]

test.each(named(QUESTIONS))('"$text" asks back: $is', ({ text, is, more }) =>
  expect(holds(text, { clarifies: is }, more)).toBe(true),
)

test('an answer is cited when it has numbers and each comes from a query', () => {
  const citation = (state: 'checked' | 'unsourced') => ({ text: '5', at: 0, state })
  expect(holds('5', { cited: true }, { citations: [citation('checked')] })).toBe(true)
  expect(holds('5 5', { cited: true }, { citations: [citation('checked'), citation('unsourced')] })).toBe(false)
  expect(holds('five', { cited: true })).toBe(false)
  expect(holds('five', { cited: false })).toBe(true)
})
