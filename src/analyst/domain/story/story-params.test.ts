import { describe, expect, test } from 'vitest'
import { readStory, queriesOf, waitingIn } from './read-story.ts'
import { bindParams, choicesOf, sayMadeWith, type MadeWith, type StoryParam } from './story-params.ts'
import { splitAtTags } from './story-tags.ts'
import type { StoryResult } from './story.ts'

const STATEMENT = '```sql q_days shop\nSELECT day FROM t WHERE day < :period_end\n```\n'
const faults = (text: string): string[] => readStory(text).faults.map(({ line, message }) => `${line}: ${message}`)
const paramsIn = (text: string): readonly StoryParam[] => readStory(text).params
const bind = (
  text: string,
  chosen: Readonly<Record<string, string>> = {},
  {
    before = [],
    results = new Map(),
  }: { before?: readonly MadeWith[]; results?: ReadonlyMap<string, StoryResult> } = {},
) => bindParams(paramsIn(text), { chosen, before, results, today: '2026-11-19' })

describe('a story text', () => {
  test('declares parameters and statements, which are not shown as text', () => {
    const text = `# Title\n\n<param name="Country" default="Italy" from="q_places.country"/>\n<param name="period" kind="period" default="last month" title="Month"/>\n\nText.\n\n${STATEMENT}\nMore.`
    const { blocks, params, statements } = readStory(text)
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'paragraph'])
    expect(params).toEqual([
      {
        line: 3,
        name: 'country',
        kind: 'text',
        title: 'country',
        initial: 'Italy',
        from: { query: 'q_places', column: 'country' },
      },
      { line: 4, name: 'period', kind: 'period', title: 'Month', initial: 'last month' },
    ])
    expect(statements).toEqual([
      { line: 8, query: 'q_days', database: 'shop', sql: 'SELECT day FROM t WHERE day < :period_end' },
    ])
    expect(queriesOf(text)).toEqual(['q_days', 'q_places'])
    expect(
      splitAtTags(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  test('keeps its line numbers after a statement, and other code as code', () => {
    expect(faults(`${STATEMENT}\n<table/>`)).toEqual([expect.stringMatching(/^5: <table> needs/)])
    expect(readStory('```sql\nSELECT 1\n```').statements).toEqual([])
    expect(readStory('```\n```sql q_a\nSELECT 1\n```\n').statements).toEqual([])
    expect(readStory('`<param name="a" default="b"/>`').params).toEqual([])
  })

  test.each([
    ['<param/>', /needs a name/],
    ['<param name="1; DROP" default="x"/>', /needs a name/],
    ['<param name="a" kind="table" default="x"/>', /the kind of a is one of text, number, date, period/],
    ['<param name="a"/>', /needs a default/],
    ['<param name="a" kind="number" default="ten"/>', /the default of a: "ten" is not a number/],
    ['<param name="a" kind="period" default="soon"/>', /"soon" is not a period/],
    ['<param name="a" default="x" from="orders.country"/>', /is not a column of a query/],
    ['<param name="a" default="x"/>\n<param name="A" default="y"/>', /:a is declared twice/],
    ['<param name="a" kind="period" default="today"/>\n<param name="a_end" default="y"/>', /:a_end is declared twice/],
    [`${STATEMENT}${STATEMENT}`, /q_days is written twice/],
    ['```sql q_a\nSELECT 1', /q_a has no closing fence/],
    ['```sql q_a\n```', /q_a has no statement/],
  ])('reports %j by its line', (text, message) => {
    expect(faults(text)).toEqual([expect.stringMatching(message)])
  })

  test('names the statements whose rows are missing or of an older text', () => {
    const read = readStory(`${STATEMENT}\n\`\`\`sql q_b\nSELECT 1\n\`\`\``)
    expect(waitingIn(read, [])).toEqual(['q_days', 'q_b'])
    expect(waitingIn(read, [{ query: 'q_b', sql: 'SELECT 1' }])).toEqual(['q_days'])
    expect(waitingIn(read, [{ query: 'q_b', sql: 'SELECT 2' }])).toEqual(['q_days', 'q_b'])
  })
})

describe('values', () => {
  const ALL = `<param name="country" default="Italy" values="Italy,France"/><param name="least" kind="number" default="0"/><param name="day" kind="date" default="yesterday"/><param name="period" kind="period" default="last month"/>`

  test('are the defaults, those of the last refresh, or those chosen now', () => {
    expect([...bind(ALL).values]).toEqual([
      ['country', 'Italy'],
      ['least', 0],
      ['day', '2026-11-18'],
      ['period_start', '2026-10-01'],
      ['period_end', '2026-11-01'],
      ['period_before', '2026-09-01'],
    ])
    const before = [{ name: 'country', value: 'France', says: 'France' }]
    const { values } = bind(ALL, { LEAST: ' -2.5 ' }, { before })
    expect([values.get('country'), values.get('least')]).toEqual(['France', -2.5])
  })

  test('of a refresh before the story changed are replaced by the default if they no longer fit', () => {
    const before = [{ name: 'least', value: 'Italy', says: 'Italy' }]
    expect(bind('<param name="least" kind="number" default="3"/>', {}, { before }).values.get('least')).toBe(3)
  })

  test('are described with their days', () => {
    expect(sayMadeWith(bind(ALL).made, paramsIn(ALL))).toBe(
      'Made with country: Italy; least: 0; day: yesterday (2026-11-18); period: last month (2026-10-01 to 2026-10-31).',
    )
  })

  test.each([
    ['region', 'x', /^No parameter named "region"/],
    ['country', 'Spain', /^country has no value "Spain"/],
    ['country', "Italy' OR '1'='1", /^country has no value/],
    ['least', '1; DROP TABLE t', /^least: "1; DROP TABLE t" is not a number/],
    ['least', '1e400', /is not a number/],
    ['least', 'NaN', /is not a number/],
    ['least', '0x10', /is not a number/],
    ['day', "2026-01-01' --", /is not a date/],
    ['period', '2026-01-01..2026-02-31', /is not a period/],
    ['period', 'last month) OR (1=1', /is not a period/],
    ['__proto__', 'x', /^No parameter named/],
  ])('%s=%j is refused in one line', (name, value, message) => {
    let thrown: unknown
    try {
      bind(ALL, Object.fromEntries([[name, value]]))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ message: expect.stringMatching(message), hint: expect.any(String) })
    expect((thrown as Error).message).not.toContain('\n')
  })

  test.each(['a\0b', 'a\nb', '\u001b[2J', 'x'.repeat(201)])('a text of %j is not a value', (value) => {
    expect(() => bind('<param name="a" default=""/>', { a: value })).toThrow(/is no value/)
  })

  test('can be those of a column, as of the last refresh', () => {
    const result = { columns: [{ name: 'country', type: 'TEXT' }], rows: [['Italy'], ['Peru'], [null]], cut: false }
    const text = '<param name="country" default="" from="q_places.country"/>'
    const results = new Map([['q_places', result]])
    expect(choicesOf(paramsIn(text)[0]!, results)).toEqual(['Italy', 'Peru'])
    expect(bind(text, { country: 'Peru' }, { results }).values.get('country')).toBe('Peru')
    expect(() => bind(text, { country: 'Chile' }, { results })).toThrow(/country has no value "Chile"/)
    expect(bind(text, { country: '' }, { results }).values.get('country')).toBe('')
    expect(choicesOf(paramsIn(text)[0]!, new Map([['q_places', { ...result, cut: true }]]))).toBeUndefined()
  })
})
