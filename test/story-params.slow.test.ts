import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStoryDesk, type StoryDesk } from './stories/story-desk.ts'

let desk: StoryDesk
beforeEach(async () => {
  desk = await openStoryDesk()
})
afterEach(() => desk.close())

const TEXT = `# Sales

<param name="month" default="2026-01" from="q_months.month" title="Month"/>
<param name="least" kind="number" default="0"/>

\`\`\`sql q_months
SELECT month FROM sales ORDER BY month
\`\`\`

\`\`\`sql q_total shop
SELECT sum(revenue) AS revenue, count(*) AS entries FROM sales WHERE month = :month AND revenue >= :least
\`\`\`

<chart query="q_total" kind="kpi" y="revenue" title="Revenue"/>
`

const write = (text: string) => desk.run('story', { action: 'create', slug: 'sales', title: 'Sales', text })
const refresh = (...set: string[]) => desk.run('story_refresh', { slug: 'sales', set })
const show = () => desk.run('story_show', { slug: 'sales' })
const rowsOf = async (query: string): Promise<unknown> =>
  (await show())['data'].find((one: { query: string }) => one.query === query)?.rows

describe('a story with statements and parameters', () => {
  test('runs its statements with the defaults, then with the values of its reader, which stay', async () => {
    await write(TEXT)
    expect((await show())['waiting']).toEqual(['q_months', 'q_total'])
    expect(await refresh()).toMatchObject({ ok: true, said: expect.stringContaining('Month: 2026-01; least: 0') })
    expect(await rowsOf('q_total')).toEqual([[100, 1]])
    expect((await refresh('month=2026-02'))['said']).toContain('Month: 2026-02')
    expect(await rowsOf('q_total')).toEqual([[150, 1]])
    expect((await refresh())['ok']).toBe(true)
    expect(await rowsOf('q_total')).toEqual([[150, 1]])
    expect((await show())['waiting']).toEqual([])
  })

  test('exports show the values and cannot be changed', async () => {
    await write(TEXT)
    await refresh('month=2026-03', 'least=5')
    const page = (await desk.run('story_export', { slug: 'sales', output: '-' }))['text']
    expect(page).toContain('<em>Made with Month: 2026-03; least: 5.</em>')
    expect(page).not.toMatch(/<input|<select|<button|SELECT sum/)
    const { path } = await desk.run('story_export', { slug: 'sales', as: 'pdf' })
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await desk.say('story_show', { slug: 'sales' })).toContain('Made with Month: 2026-03; least: 5.')
  })

  test.each([
    ["month=2026-01' OR '1'='1", /month has no value/],
    ['least=0 OR 1=1', /least: "0 OR 1=1" is not a number/],
    ['least=0; DELETE FROM sales', /is not a number/],
    ['revenue=1', /No parameter named "revenue"/],
    ['month', /"month" is not name=value/],
    ['=x', /is not name=value/],
    ['month=a\0b', /is no value/],
  ])('refuses %j in one line, and keeps the rows', async (set, message) => {
    await write(TEXT)
    await refresh()
    await expect(refresh(set)).rejects.toMatchObject({ message: expect.stringMatching(message) })
    expect(await rowsOf('q_total')).toEqual([[100, 1]])
    expect((await show())['last_refresh']).toMatchObject({ ok: true })
  })

  test.each([
    "x' OR '1'='1",
    "x'; DELETE FROM sales; --",
    '" OR ""="',
    ':least ? $1',
    "') UNION SELECT name FROM staff --",
  ])('binds %j as a value', async (value) => {
    await write(
      '# S\n\n<param name="name" default=""/>\n\n```sql q_a\nSELECT count(*) AS n, :name AS said FROM sales WHERE month = :name\n```\n',
    )
    expect(await refresh(`name=${value}`)).toMatchObject({ ok: true })
    expect(await rowsOf('q_a')).toEqual([[0, value]])
    expect((await desk.inTurn('execute_sql', { sql: 'SELECT count(*) AS n FROM sales' }))['rows']).toEqual([[3]])
  })

  test.each([
    ['SELECT * FROM :table', '', /near/],
    ['SELECT name FROM secrets WHERE name = :table', '', /secrets/],
    ['DELETE FROM sales WHERE month = :table', '', /not a read/],
    ['SELECT 1; SELECT :table', '', /2 statements/],
    ['SELECT month FROM sales WHERE month = :typo', '', /:typo is not declared/],
    ['SELECT month FROM sales WHERE month = ? OR month = :table', '', /placeholder without a name/],
    ['EXPLAIN SELECT month FROM sales WHERE month = :table', '', /only a SELECT takes parameters/],
  ])('the gate refuses %s', async (sql, value, message) => {
    await write(`# S\n\n<param name="table" default="sales"/>\n\n\`\`\`sql q_a\n${sql}\n\`\`\`\n`)
    expect(await refresh(...(value === '' ? [] : [`table=${value}`]))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(message),
    })
  })

  test('numbers that the last refresh moved are listed with the value before, but not across other values', async () => {
    await write(TEXT)
    await refresh()
    const cited = TEXT.replace('<chart', 'We sold [100](q_total.revenue).\n\n<chart')
    await desk.run('story_edit', { slug: 'sales', text: cited })
    desk.exec("UPDATE sales SET revenue = 120 WHERE month = '2026-01'")
    expect((await refresh())['said']).toMatch(/q_total\.revenue: 100 → 120/)
    const [, total] = (await show())['data']
    expect(total).toMatchObject({ was: { revenue: 100 }, bound: [{ was: 100 }] })
    expect((await refresh('month=2026-02'))['said']).not.toContain('→')
    expect((await refresh())['said']).not.toContain('→')
  })
})

describe('a new story', () => {
  test('is blank, from a template over a table of the context, or a copy with its rows', async () => {
    expect(await desk.run('story_new', { title: 'A page' })).toMatchObject({ slug: 'a-page', version: 1, open: [] })
    desk.exec(
      'CREATE TABLE visits (id INTEGER, visited_on DATE, pages INTEGER)',
      "INSERT INTO visits VALUES (1, '2026-05-03', 4), (2, '2026-05-03', 2), (3, '2026-04-01', 7)",
    )
    await desk.run('sync_sources')
    for (const template of ['weekly', 'comparison', 'question']) {
      const made = await desk.run('story_new', { title: template, template, table: 'visits' })
      expect(made).toMatchObject({
        open: [],
        waiting: [expect.any(String)].concat(template === 'question' ? [] : [expect.any(String)]),
      })
      const set = template === 'question' ? [] : ['period=2026-05']
      expect(await desk.run('story_refresh', { slug: template, set })).toMatchObject({ ok: true })
      expect((await desk.run('story_show', { slug: template }))['faults']).toEqual([])
    }
    const weekly = await desk.run('story_show', { slug: 'weekly' })
    expect(weekly['data'].map((one: { rows: unknown }) => one.rows)).toEqual([[['2026-05-03', 6, 2]], [[6, 2]]])
    const copy = await desk.run('story_new', { title: 'The copy', from: 'weekly' })
    expect(copy).toMatchObject({ slug: 'the-copy', waiting: [], faults: [] })
    const shown = await desk.run('story_show', { slug: 'the-copy' })
    expect(shown['text']).toMatch(/^# The copy\n/)
    expect(shown['data']).toEqual(weekly['data'])
    expect(await desk.run('story_refresh', { slug: 'the-copy' })).toMatchObject({ ok: true })
  })

  test('lists the available tables and stories', async () => {
    await expect(desk.run('story_new', { title: 'x', template: 'weekly', table: 'salse' })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('main.sales'),
    })
    await expect(desk.run('story_new', { title: 'x', from: 'none' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
