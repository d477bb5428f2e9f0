/**
 * Measures whether the numbers of a story are reliable: `npm run -s eval -- --only stories`. Sentences cite cells
 * with right and wrong numbers in many notations. Then the rows change: the numbers must show the new cells, and only
 * words of direction or rank that no longer fit must be marked. Half of the sentences
 * are held out, by a hash. `node eval/living-numbers.ts` prints the misses of the other half.
 */
import { layOutStory } from '../src/analyst/domain/story/lay-out-story.ts'
import { readStory } from '../src/analyst/domain/story/read-story.ts'
import { bindNumbers, wrongNumbers } from '../src/analyst/domain/story/story-numbers.ts'
import { storyText } from '../src/analyst/domain/story/story-text.ts'
import type { StoryResult } from '../src/analyst/domain/story/story.ts'
import { PLAIN } from '../src/kernel/domain/view/view.ts'
import { isKeptBack } from './company/random.ts'
import { HALVES, type Figure } from './suite.ts'

const ID = 'q_0123456789ab'
const COLUMNS = ['month', 'revenue', 'change', 'orders'] as const
type Rows = StoryResult['rows']
const BEFORE: Rows = [
  ['January', 1188.69, -0.031, 1200],
  ['February', 1502.4, 0.264, 1480],
  ['March', 1344, -0.105, 905],
  ['April', 2210.5, 0.645, 2017],
]
const resultOf = (rows: Rows): StoryResult => ({
  columns: COLUMNS.map((name) => ({ name, type: name === 'month' ? 'text' : 'number' })),
  rows,
  cut: false,
})

/** A number as it may be written, the cell it cites (by column and row), and whether the cell confirms it. */
const WRITTEN: readonly (readonly [label: string, place: string, isRight: boolean])[] = [
  ['1,188.69', 'revenue.1', true],
  ['1,189', 'revenue.1', true],
  ['$1.19k', 'revenue.1', true],
  ['1.2k', 'revenue.1', true],
  ['EUR 1,188.69', 'revenue.1', true],
  ['about 1,200', 'revenue.1', true],
  ['999', 'revenue.1', false],
  ['1,118.69', 'revenue.1', false],
  ['1,888', 'revenue.1', false],
  ['11,886.90', 'revenue.1', false],
  ['$1.9k', 'revenue.1', false],
  ['1,502.40', 'revenue.1', false],
  ['26.4 %', 'change.2', true],
  ['26%', 'change.2', true],
  ['a quarter, 26.4 %,', 'change.2', true],
  ['2.64 %', 'change.2', false],
  ['62.4 %', 'change.2', false],
  ['-26.4 %', 'change.2', false],
  ['-3.1 %', 'change.1', true],
  ['-3%', 'change.1', true],
  ['3.9 %', 'change.1', false],
  ['2,017', 'orders.4', true],
  ['2.0k', 'orders.4', true],
  ['2,107', 'orders.4', false],
  ['905', 'orders.3', true],
  ['950', 'orders.3', false],
  ['95', 'orders.3', false],
  ['6,245.59', 'revenue', true],
  ['5,602', 'orders', true],
  ['6,602', 'orders', false],
  ['Q1 905', 'orders.3', true],
  ['1,480 orders', 'orders.2', true],
  ['1,840 orders', 'orders.2', false],
  ['2,210.50', 'revenue.4', true],
  ['2,210.05', 'revenue.4', false],
  ['2.2k', 'revenue.4', true],
  ['3.2k', 'revenue.4', false],
  ['-10.5 %', 'change.3', true],
  ['10.5 %', 'change.4', false],
  ['January', 'month.1', true],
]

type Change = (rows: Rows) => Rows
const set =
  (row: number, column: (typeof COLUMNS)[number], value: number): Change =>
  (rows) =>
    rows.map((cells, i) => cells.map((cell, at) => (i === row - 1 && COLUMNS[at] === column ? value : cell)))
const cell = (label: string, place: string): string => `[${label}](${ID}.${place})`

/** A sentence, the change to its rows, the number it must show afterwards, and whether its words no longer fit. */
const TOLD: readonly (readonly [text: string, change: Change, shows: string, isDoubted: boolean])[] = [
  [`February grew by ${cell('26.4 %', 'change.2')}.`, set(2, 'change', -0.08), '-8.0 %', true],
  [`February grew by ${cell('26.4 %', 'change.2')}.`, set(2, 'change', 0.18), '18.0 %', false],
  [`Revenue was up ${cell('26.4 %', 'change.2')} in February.`, set(2, 'change', -0.02), '-2.0 %', true],
  [`An increase of ${cell('64.5 %', 'change.4')} in April.`, set(4, 'change', -0.4), '-40.0 %', true],
  [`April improved by ${cell('64.5 %', 'change.4')}.`, set(4, 'change', 0.05), '5.0 %', false],
  [`January fell by ${cell('-3.1 %', 'change.1')}.`, set(1, 'change', 0.07), '7.0 %', true],
  [`January declined (${cell('-3.1 %', 'change.1')}).`, set(1, 'change', -0.09), '-9.0 %', false],
  [`March dropped ${cell('-10.5 %', 'change.3')}.`, set(3, 'change', 0.2), '20.0 %', true],
  [`A loss of ${cell('-10.5 %', 'change.3')} in March.`, set(3, 'change', 0.01), '1.0 %', true],
  [`March shrank by ${cell('-10.5 %', 'change.3')}.`, set(3, 'change', 0.3), '30.0 %', true],
  [
    `It rose from ${cell('1,188.69', 'revenue.1')} to ${cell('1,502.40', 'revenue.2')}.`,
    set(2, 'revenue', 900),
    '900.00',
    true,
  ],
  [
    `It rose from ${cell('1,188.69', 'revenue.1')} to ${cell('1,502.40', 'revenue.2')}.`,
    set(2, 'revenue', 1300),
    '1,300.00',
    false,
  ],
  [
    `It slipped from ${cell('1,502.40', 'revenue.2')} to ${cell('1,344.00', 'revenue.3')}.`,
    set(3, 'revenue', 1600),
    '1,600.00',
    true,
  ],
  [
    `Orders went from ${cell('905', 'orders.3')} up to ${cell('2,017', 'orders.4')}.`,
    set(4, 'orders', 300),
    '300',
    true,
  ],
  [
    `Orders climbed to ${cell('2,017', 'orders.4')} from ${cell('905', 'orders.3')}.`,
    set(3, 'orders', 4000),
    '4,000',
    true,
  ],
  [
    `${cell('1,480', 'orders.2')} orders exceed the ${cell('1,200', 'orders.1')} of January.`,
    set(1, 'orders', 1600),
    '1,600',
    true,
  ],
  [
    `February had more orders (${cell('1,480', 'orders.2')}) than January (${cell('1,200', 'orders.1')}).`,
    set(2, 'orders', 1100),
    '1,100',
    true,
  ],
  [
    `March had fewer orders (${cell('905', 'orders.3')}) than January (${cell('1,200', 'orders.1')}).`,
    set(3, 'orders', 1300),
    '1,300',
    true,
  ],
  [
    `March had fewer orders (${cell('905', 'orders.3')}) than January (${cell('1,200', 'orders.1')}).`,
    set(3, 'orders', 800),
    '800',
    false,
  ],
  [
    `February overtook January: ${cell('1,502.40', 'revenue.2')} against ${cell('1,188.69', 'revenue.1')}.`,
    set(1, 'revenue', 1700),
    '1,700.00',
    true,
  ],
  [`The best month had ${cell('2,210.50', 'revenue.4')}.`, set(1, 'revenue', 9000), '2,210.50', true],
  [`The best month had ${cell('2,210.50', 'revenue.4')}.`, set(4, 'revenue', 2500), '2,500.00', false],
  [`The worst month had ${cell('1,188.69', 'revenue.1')}.`, set(3, 'revenue', 40), '1,188.69', true],
  [`Orders peaked at ${cell('2,017', 'orders.4')}.`, set(1, 'orders', 5000), '2,017', true],
  [`The lowest number of orders was ${cell('905', 'orders.3')}.`, set(2, 'orders', 100), '905', true],
  [`The lowest number of orders was ${cell('905', 'orders.3')}.`, set(3, 'orders', 700), '700', false],
  [`April led with ${cell('2,210.50', 'revenue.4')}.`, set(2, 'revenue', 3000), '2,210.50', true],
  [
    `No month was weaker than January with ${cell('1,188.69', 'revenue.1')}, the weakest.`,
    set(1, 'revenue', 1400),
    '1,400.00',
    true,
  ],
  [`The minimum is ${cell('905', 'orders.3')} orders.`, set(3, 'orders', 2900), '2,900', true],
  [`The record is ${cell('2,017', 'orders.4')} orders.`, set(4, 'orders', 2600), '2,600', false],
  [`Revenue was ${cell('1,188.69', 'revenue.1')} in January.`, set(1, 'revenue', 3), '3.00', false],
  [`In all ${cell('5,602', 'orders')} orders came in.`, set(1, 'orders', 1300), '5,702', false],
  [`February surged ${cell('26.4 %', 'change.2')}; March cooled.`, set(2, 'change', -0.3), '-30.0 %', true],
  [`February gained ${cell('26%', 'change.2')}.`, set(2, 'change', -0.12), '-12%', true],
  [`April was the strongest with ${cell('$2.2k', 'revenue.4')}.`, set(4, 'revenue', 800), '$800', true],
  [
    `April doubled to ${cell('2,017', 'orders.4')} from ${cell('905', 'orders.3')}.`,
    set(4, 'orders', 600),
    '600',
    true,
  ],
  [`A plus of ${cell('64.5 %', 'change.4')} in April.`, set(4, 'change', -0.1), '-10.0 %', true],
  [`January was negative at ${cell('-3.1 %', 'change.1')}.`, set(1, 'change', 0.02), '2.0 %', true],
  [`February was positive at ${cell('26.4 %', 'change.2')}.`, set(2, 'change', 0.3), '30.0 %', false],
  [
    `Orders halved to ${cell('905', 'orders.3')} from ${cell('1,480', 'orders.2')}.`,
    set(3, 'orders', 1900),
    '1,900',
    true,
  ],
]

interface Judged {
  readonly text: string
  readonly measure: (typeof MEASURES)[number]
  readonly isRight: boolean
  readonly says: string
}

const MEASURES = [
  'wrong citations refused',
  'right citations refused',
  'numbers that show their cell',
  'words that no longer fit doubted',
  'words that fit doubted',
] as const
const LOWER: ReadonlySet<string> = new Set(['right citations refused', 'words that fit doubted'])

export const storyFigures = async (): Promise<Figure[]> =>
  HALVES.flatMap((half) =>
    MEASURES.map((measure): Figure => {
      const own = judge().filter((one) => one.measure === measure && isKeptBack(one.text) === (half === 'kept back'))
      return {
        set: 'sentences of stories',
        half,
        measure,
        value: own.filter(({ isRight }) => isRight !== LOWER.has(measure)).length,
        of: own.length,
        better: LOWER.has(measure) ? 'lower' : 'higher',
      }
    }),
  )

function judge(): readonly Judged[] {
  const before = new Map([[ID, resultOf(BEFORE)]])
  const written = WRITTEN.map(([label, place, isRight]): Judged => {
    const text = `It was ${cell(label, place)} then.`
    const isRefused = wrongNumbers(readStory(text).blocks, before).length > 0
    const measure = isRight ? 'right citations refused' : 'wrong citations refused'
    return { text, measure, isRight: isRefused !== isRight, says: isRefused ? 'refused' : 'saved' }
  })
  const told = TOLD.flatMap(([text, change, shows, isDoubted]): Judged[] => {
    const key = `${text} ${shows}`
    const { bound } = bindNumbers(readStory(text).blocks, before).get(ID)!
    const { blocks, notices } = layOutStory(
      text,
      new Map([[ID, { ...resultOf(change(BEFORE)), ...(bound && { bound }) }]]),
    )
    const shown = storyText(blocks, PLAIN)
    const says = `${shown} ${notices.join(' ')}`
    const isTold = notices.some((notice) => notice.startsWith('The words'))
    return [
      { text: key, measure: 'numbers that show their cell', isRight: shown.includes(shows), says },
      {
        text: key,
        measure: isDoubted ? 'words that no longer fit doubted' : 'words that fit doubted',
        isRight: isTold === isDoubted,
        says,
      },
    ]
  })
  return [...written, ...told]
}

if (import.meta.main) {
  for (const { half, measure, value, of } of await storyFigures())
    console.log(`${half.padEnd(10)} ${measure.padEnd(34)} ${value} of ${of}`)
  for (const one of judge())
    if (!one.isRight && !isKeptBack(one.text)) console.log(`  ${one.measure}: ${one.text}\n    ${one.says}`)
}
