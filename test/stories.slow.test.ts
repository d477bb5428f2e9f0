import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { refreshDueStories } from '../src/analyst/due-stories.ts'
import { refreshDue } from '../src/analyst/operations/fresh-stories.ts'
import { storyParts } from '../src/analyst/operations/story-parts.ts'
import { storySchedule } from '../src/analyst/operations/story-refresh.ts'
import { openStoryDesk, type StoryDesk } from './stories/story-desk.ts'

const desks: StoryDesk[] = []
const openDesk = async (): Promise<StoryDesk> => {
  const desk = await openStoryDesk()
  desks.push(desk)
  return desk
}
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

const BY_MONTH = 'SELECT month, revenue FROM sales ORDER BY month'
const TOTAL = 'SELECT sum(revenue) AS revenue, sum(orders) AS orders FROM sales'

async function withStory(desk: StoryDesk): Promise<{ month: string; total: string }> {
  const [month, total] = [await desk.query(BY_MONTH), await desk.query(TOTAL)]
  await desk.inTurn('story', {
    action: 'create',
    title: 'Sales of the shop',
    slug: 'sales',
    text: `# Sales\n\nIn all [375](${total}.revenue).\n\n<chart query="${month}" kind="line" x="month" y="revenue" title="By month"/>\n\n<table query="${total}" title="In all"/>\n`,
  })
  return { month, total }
}

const rowsOf = async (desk: StoryDesk, query: string): Promise<unknown> =>
  (await desk.run('story_show', { slug: 'sales' }))['data'].find((one: { query: string }) => one.query === query).rows

describe('the analyst', () => {
  test('writes a story with the results of its chat, and the answer links it', async () => {
    const desk = await openDesk()
    const { month } = await withStory(desk)
    expect(desk.parts.at(-1)).toEqual({ kind: 'story', call: 'call', story: 'sales', version: 1 })
    expect(await rowsOf(desk, month)).toEqual([
      ['2026-01', 100],
      ['2026-02', 150],
      ['2026-03', 125],
    ])
    const shown = await desk.say('story_show', { slug: 'sales' })
    expect(shown).toContain('By month')
    expect(shown).toContain('375')
    expect(shown).toMatch(/Data as of \d{4}-/)
  })

  test('near matches are accepted, and anything that cannot be drawn is reported by line', async () => {
    const desk = await openDesk()
    const month = await desk.query(BY_MONTH)
    const { faults, version, slug } = await desk.inTurn('story', {
      action: 'create',
      text: `# Faults\n\n<chart query="${month}" kind="Bar Chart" x="MONTH" y="Revenue"/>\n<chart query="${month}" kind="bar" x="month" y="profit"/>\n<chart query="q_000000000000" kind="bar" y="x"/>\n<table/>\n`,
    })
    expect({ version, slug }).toEqual({ version: 1, slug: 'faults' })
    expect(faults).toHaveLength(3)
    expect(faults[0]).toMatch(/^line 4: .*no column "profit"/)
    expect(faults[1]).toMatch(/^line 5: there is no result of q_000000000000/)
    expect(faults[2]).toMatch(/^line 6: <table> needs the query/)
  })

  test('replaces a text by find and replace only if it occurs once', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const change = (find: string) =>
      desk.inTurn('story', { action: 'update', slug: 'sales', find, replace: 'Altogether' })
    await expect(change('nowhere')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/is not in the story/),
    })
    await expect(change('In all')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/2 times/),
    })
    expect(await change('In all [')).toMatchObject({ version: 2, changed: true })
    expect(await desk.inTurn('story', { action: 'replace', slug: 'sales', text: '# Other' })).toMatchObject({
      version: 3,
    })
    await expect(
      desk.inTurn('story', { action: 'update', slug: 'salse', find: 'a', replace: 'b' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringMatching(/sales/),
    })
  })

  test('uses a slug only once; a repeated title gets a new slug', async () => {
    const desk = await openDesk()
    await withStory(desk)
    await expect(
      desk.inTurn('story', { action: 'create', slug: 'sales', title: 'x', text: 'y' }),
    ).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringMatching(/update or replace/),
    })
    const title = 'Größe & Preis'
    expect(await desk.inTurn('story', { action: 'create', title, text: 'y' })).toMatchObject({
      slug: 'gro-e-preis',
    })
    expect(await desk.inTurn('story', { action: 'create', title, text: 'y' })).toMatchObject({ slug: 'gro-e-preis-2' })
  })

  test('a secret in a story is redacted before it is stored', async () => {
    const desk = await openDesk()
    await desk.inTurn('story', {
      action: 'create',
      slug: 'key',
      title: 'Key',
      text: `Use ${'ghp_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.`,
    })
    expect((await desk.run('story_show', { slug: 'key' }))['text']).not.toContain('ghp_a1B2')
  })
})

describe('a person', () => {
  test('edits, compares, restores, and loses nothing', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const before = (await desk.run('story_show', { slug: 'sales' }))['text'] as string
    await desk.run('story_edit', { slug: 'sales', text: before.replace('In all', 'Altogether') })
    writeFileSync(join(desk.root, 'new.md'), '\uFEFF# Sales\r\n\r\nNo more charts.\r\n')
    expect(await desk.run('story_edit', { slug: 'sales', file: 'new.md' })).toMatchObject({ version: 3 })
    expect((await desk.run('story_show', { slug: 'sales' }))['text']).toBe('# Sales\n\nNo more charts.\n')
    const { diff } = await desk.run('story_diff', { slug: 'sales', from: 1, to: 2 })
    expect(diff).toContain('\n-In all [375]')
    expect(diff).toContain('\n+Altogether [375]')
    expect(await desk.run('story_restore', { slug: 'sales', version: 1 })).toEqual({
      slug: 'sales',
      from: 1,
      version: 4,
      changed: true,
    })
    expect((await desk.run('story_show', { slug: 'sales' }))['text']).toBe(before)
    expect((await desk.run('story_show', { slug: 'sales' }))['faults']).toEqual([])
    const { versions } = await desk.run('story_versions', { slug: 'sales' })
    expect(versions.map(({ version, by }: { version: number; by: string }) => [version, by])).toEqual([
      [4, 'person'],
      [3, 'person'],
      [2, 'person'],
      [1, 'analyst'],
    ])
    await expect(desk.run('story_restore', { slug: 'sales', version: 9 })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('edits in the editor and is warned of a concurrent change', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const editText = async (text: string): Promise<string> => {
      await desk.inTurn('story', { action: 'update', slug: 'sales', find: '# Sales', replace: '# Sales of 2026' })
      return `${text}\nMine.\n`
    }
    expect(await desk.run('story_edit', { slug: 'sales' }, { editText })).toMatchObject({ version: 3, meanwhile: 2 })
  })

  test('gets a conflict if the story was saved since the version the text is based on', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const page = { origin: { surface: 'app' as const } }
    const { version } = await desk.run('story_show', { slug: 'sales' }, page)
    await desk.run('story_edit', { slug: 'sales', text: '# Theirs' })
    const mine = { slug: 'sales', text: '# Mine', from_version: version }
    await expect(desk.run('story_edit', mine, page)).rejects.toMatchObject({ code: 'conflict' })
    expect(await desk.run('story_show', { slug: 'sales' }, page)).toMatchObject({
      text: '# Theirs',
      version: 2,
      newest: 2,
    })
    expect(await desk.run('story_edit', { ...mine, from_version: 2 }, page)).toMatchObject({
      version: 3,
      changed: true,
    })
    expect(await desk.run('story_show', { slug: 'sales', version: 2 }, page)).toMatchObject({ version: 2, newest: 3 })
  })

  test('archives a story and restores it', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const slugs = async (input = {}) =>
      (await desk.run('stories_list', input))['stories'].map((one: { slug: string }) => one.slug)
    expect(await desk.run('story_archive', { slug: 'sales' })).toEqual({ slug: 'sales', changed: true })
    expect([await slugs(), await slugs({ archived: true })]).toEqual([[], ['sales']])
    await expect(desk.run('story_schedule', { slug: 'sales', when: 'hourly' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await desk.run('story_unarchive', { slug: 'sales' })).toEqual({ slug: 'sales', changed: true })
    expect(await desk.run('story_unarchive', { slug: 'sales' })).toEqual({ slug: 'sales', changed: false })
    expect(await slugs()).toEqual(['sales'])
  })

  test('cannot read or write a file on the machine over HTTP', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const http = { origin: { surface: 'http' as const } }
    await expect(desk.run('story_edit', { slug: 'sales', file: '/etc/passwd' }, http)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const given = await desk.run('story_export', { slug: 'sales', output: 'out.html' }, http)
    expect(given['text']).toContain('<svg')
    expect(existsSync(join(desk.root, 'out.html'))).toBe(false)
  })

  test('does not find another project’s story', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const elsewhere = { cwd: desk.home }
    expect((await desk.run('stories_list', {}, elsewhere))['stories']).toEqual([])
    await expect(desk.run('story_show', { slug: 'sales' }, elsewhere)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a number in the text of a story', () => {
  test('is refused if its cell has another value, and nothing is saved', async () => {
    const desk = await openDesk()
    const month = await desk.query(BY_MONTH)
    const write = (text: string) => desk.inTurn('story', { action: 'create', title: 'Sales', text })
    await expect(write(`In all [999](${month}.revenue.1).`)).rejects.toThrow(
      `Numbers differ from the data: 999: ${month}, revenue, row 1 has 100.`,
    )
    await expect(write('In all [999](q_ffffffffffff.revenue.1).')).rejects.toThrow('there is no such query')
    expect((await desk.run('stories_list'))['stories']).toEqual([])
    expect(await write(`In all [100](${month}.revenue.1) of 999.`)).toMatchObject({
      notices: ['1 number here comes from no query: 999.'],
    })
  })

  test('follows its cell on a refresh, in the terminal, on the page and on paper', async () => {
    const desk = await openDesk()
    const month = await desk.query(BY_MONTH)
    const text = `# Sales\n\nMarch fell to [125](${month}.revenue.3) from [150](${month}.revenue.2), and 77 is a guess.`
    await desk.inTurn('story', { action: 'create', slug: 'sales', text })
    desk.exec("UPDATE sales SET revenue = 1250.5 WHERE month = '2026-03'", "INSERT INTO sales VALUES ('2025-12', 1, 1)")
    const { said } = await desk.run('story_refresh', { slug: 'sales' })
    const doubt = 'The words may no longer fit the data: "fell", but 125 and 150 are 1,251 and 150 now.'
    expect(said).toContain(doubt)
    const shown = await desk.say('story_show', { slug: 'sales' })
    expect(shown).toContain('March fell to 1,251 from 150, and 77(?) is a guess.')
    expect(shown.indexOf(doubt)).toBeLessThan(shown.indexOf('March fell'))
    const page = (await desk.run('story_export', { slug: 'sales', output: '-' }))['text'] as string
    expect(page).toContain('>1,251</span> from')
    expect(page).toContain('77</span><span class="doubt">(?)</span>')
    expect(page).toContain('1 number here comes from no query: 77.')
    // A change elsewhere in the text does not make the number wrong.
    const changed = await desk.run('story_edit', { slug: 'sales', text: `${text} More soon.` })
    expect(changed).toMatchObject({ version: 2 })
    expect(await desk.say('story_show', { slug: 'sales' })).toContain('March fell to 1,251')
  })
})

describe('a refresh', () => {
  test('runs every query again', async () => {
    const desk = await openDesk()
    const { month, total } = await withStory(desk)
    desk.exec("INSERT INTO sales VALUES ('2026-04', 200, 9)")
    const told: string[] = []
    const progress = (message: string, done: number, of: number): void => void told.push(`${done}/${of} ${message}`)
    expect(await desk.run('story_refresh', { slug: 'sales' }, { progress })).toMatchObject({ ok: true })
    expect(told.toSorted()).toEqual([month, total].toSorted().map((one, at) => `${at}/2 Asking shop for ${one}.`))
    expect(await rowsOf(desk, total)).toEqual([[575, 25]])
    expect(await rowsOf(desk, month)).toHaveLength(4)
  })

  test('keeps all of the last good data if it fails halfway, and reports the failure everywhere', async () => {
    const desk = await openDesk()
    const { month, total } = await withStory(desk)
    // The query over months still works and returns more rows; the other one fails.
    desk.exec('ALTER TABLE sales DROP COLUMN orders', "INSERT INTO sales VALUES ('2026-04', 200)")
    const { ok, problem, said } = await desk.run('story_refresh', { slug: 'sales' })
    expect(ok).toBe(false)
    expect(problem).toContain(`${total} on shop`)
    expect(problem).toContain('orders')
    expect(said).toContain('It still shows the rows of')
    expect(await rowsOf(desk, month)).toHaveLength(3)
    expect(await rowsOf(desk, total)).toEqual([[375, 16]])
    expect(await desk.say('stories_list')).toContain('failed:')
    expect(await desk.say('story_show', { slug: 'sales' })).toMatch(
      /The refresh of .* failed, so this is the last good data/,
    )
    expect((await desk.run('story_export', { slug: 'sales', output: '-' }))['text']).toContain(
      'this is the last good data',
    )
    desk.exec('ALTER TABLE sales ADD COLUMN orders INTEGER')
    expect(await desk.run('story_refresh', { slug: 'sales' })).toMatchObject({ ok: true })
    expect(await desk.say('stories_list')).not.toContain('failed')
  })

  test('applies the current gate: a table that is no longer in the context is refused', async () => {
    const desk = await openDesk()
    const { month } = await withStory(desk)
    desk.configure({ exclude: ['*.sales'] })
    await desk.run('sync_sources')
    const { ok, problem } = await desk.run('story_refresh', { slug: 'sales' })
    expect({ ok, problem }).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/is no longer allowed: .*sales/),
    })
    expect(await rowsOf(desk, month)).toHaveLength(3)
  })

  test('is refused if it would write, whatever the state contains', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const state = await desk.context().analystState()
    const story = (await state.stories.list({ user: desk.context().user }))[0]!
    const data = await state.stories.data(story.id)
    await state.stories.keepRefresh(
      story.id,
      { at: new Date().toISOString(), ok: true },
      data.map((one) => ({ ...one, sql: 'DELETE FROM sales' })),
    )
    expect(await desk.run('story_refresh', { slug: 'sales' })).toMatchObject({ ok: false })
    expect((await desk.inTurn('execute_sql', { sql: 'SELECT count(*) AS n FROM sales' }))['rows']).toEqual([[3]])
  })

  test('stops if the project is no longer trusted, and names the next step', async () => {
    const desk = await openDesk()
    const { month } = await withStory(desk)
    // The same entry now points outside the folder, to a place that is not trusted.
    copyFileSync(join(desk.root, 'shop.db'), join(desk.root, '../shop.db'))
    desk.configure({ path: '../shop.db' })
    const { ok, problem } = await desk.run('story_refresh', { slug: 'sales' })
    expect(ok).toBe(false)
    expect(problem).toMatch(/ken trust/)
    expect(await rowsOf(desk, month)).toHaveLength(3)
  })

  test('keeps the rows that only an earlier version of the story uses', async () => {
    const desk = await openDesk()
    const { month, total } = await withStory(desk)
    await desk.run('story_edit', { slug: 'sales', text: `# Sales\n\n<table query="${total}"/>` })
    desk.exec("INSERT INTO sales VALUES ('2026-04', 200, 9)")
    await desk.run('story_refresh', { slug: 'sales' })
    expect(await rowsOf(desk, total)).toEqual([[575, 25]])
    expect(await rowsOf(desk, month)).toHaveLength(3)
    await desk.run('story_restore', { slug: 'sales', version: 1 })
    await desk.run('story_refresh', { slug: 'sales' })
    expect(await rowsOf(desk, month)).toHaveLength(4)
  })

  test('skips a story that another process is refreshing', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const story = (await (await desk.context().analystState()).stories.list({ user: desk.context().user }))[0]!
    const lease = (await desk.context().storyLease(story.id))!
    await expect(desk.run('story_refresh', { slug: 'sales' })).rejects.toMatchObject({ code: 'unavailable' })
    await lease.release()
    expect(await desk.run('story_refresh', { slug: 'sales' })).toMatchObject({ ok: true })
  })
})

describe('a schedule', () => {
  const at = (time: string) => ({ now: () => new Date(time), ulid: () => 'x', uuid: () => 'y' })

  test('is set in plain English, shown, and removed', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const clock = at('2026-03-11T10:20:00Z')
    const set = (when: string) =>
      desk.run('story_schedule', { slug: 'sales', when, timezone: 'Europe/Berlin' }, { clock })
    const done = await set('every weekday at 8')
    expect(done['schedule']).toEqual({
      says: 'Monday to Friday at 08:00',
      cron: '0 8 * * 1-5',
      timezone: 'Europe/Berlin',
      next: '2026-03-12T07:00:00.000Z',
    })
    expect(storySchedule.render(done as never, {} as never)).toContain('next on Thursday, 12 March 2026 at 08:00')
    await expect(set('now and then')).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringMatching(/every weekday at 8/),
    })
    expect((await desk.run('story_schedule', { slug: 'sales' }))['schedule']).toMatchObject({ cron: '0 8 * * 1-5' })
    expect(await set('off')).toEqual({ slug: 'sales', changed: true })
    expect(await desk.run('story_schedule', { slug: 'sales' })).toEqual({ slug: 'sales', changed: false })
  })

  test('runs when due, not before, and once for all missed times', async () => {
    const desk = await openDesk()
    const { total } = await withStory(desk)
    await desk.run('story_schedule', { slug: 'sales', when: '0 8 * * *', timezone: 'UTC' })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const next = await desk.run('story_schedule', { slug: 'sales' })
    desk.exec("INSERT INTO sales VALUES ('2026-04', 200, 9)")
    expect(await refreshDue(desk.context())).toEqual({ refreshed: 0, failed: [] })
    const late = at(new Date(Date.parse(next['schedule'].next) + 3 * 86_400_000).toISOString())
    expect(tomorrow <= late.now().toISOString()).toBe(true)
    expect(await refreshDue(desk.context({ clock: late }))).toEqual({ refreshed: 1, failed: [] })
    expect(await rowsOf(desk, total)).toEqual([[575, 25]])
    expect(await refreshDue(desk.context({ clock: late }))).toEqual({ refreshed: 0, failed: [] })
  })

  test('reports a failure once and waits until the next scheduled time; archived stories are skipped', async () => {
    const desk = await openDesk()
    await withStory(desk)
    await desk.run('story_schedule', { slug: 'sales', when: 'hourly', timezone: 'UTC' })
    desk.exec('DROP TABLE sales')
    const later = at(new Date(Date.now() + 2 * 3_600_000).toISOString())
    const { refreshed, failed } = await refreshDue(desk.context({ clock: later }))
    expect(refreshed).toBe(0)
    expect(failed).toEqual([expect.stringMatching(/^The story sales was not refreshed: q_.* on shop/)])
    expect(await refreshDue(desk.context({ clock: later }))).toEqual({ refreshed: 0, failed: [] })
    await desk.run('story_archive', { slug: 'sales' })
    const muchLater = at(new Date(Date.now() + 9 * 3_600_000).toISOString())
    expect(await refreshDue(desk.context({ clock: muchLater }))).toEqual({ refreshed: 0, failed: [] })
  })

  test('two processes do not refresh the same story twice', async () => {
    const desk = await openDesk()
    await withStory(desk)
    await desk.run('story_schedule', { slug: 'sales', when: 'hourly', timezone: 'UTC' })
    const later = at(new Date(Date.now() + 2 * 3_600_000).toISOString())
    const parts = await storyParts(desk.context({ clock: later }))
    let asked = 0
    const counted = { ...parts, runQuery: ((...given) => (asked++, parts.runQuery(...given))) as typeof parts.runQuery }
    const user = desk.context().user
    const both = await Promise.all([refreshDueStories(counted, user), refreshDueStories(counted, user)])
    expect(both.map(({ refreshed }) => refreshed).toSorted()).toEqual([0, 1])
    expect(asked).toBe(2)
  })

  test('one watch cycle refreshes the stories that are due', async () => {
    const desk = await openDesk()
    await withStory(desk)
    await desk.run('story_schedule', { slug: 'sales', when: 'hourly', timezone: 'UTC' })
    const clock = { ...desk.context().clock, now: () => new Date(Date.now() + 2 * 3_600_000) }
    expect(await desk.run('watch', { once: true }, { clock })).toMatchObject({ stories: 1, warnings: [] })
  })
})

describe('an export', () => {
  test('replaces an existing file only on request', async () => {
    const desk = await openDesk()
    await withStory(desk)
    const { path } = await desk.run('story_export', { slug: 'sales' })
    expect(path).toBe(join(desk.root, 'sales.html'))
    const page = readFileSync(path, 'utf8')
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<img|src=|@import|url\(/i)
    expect(page.match(/<svg/g)).toHaveLength(2)
    await expect(desk.run('story_export', { slug: 'sales' })).rejects.toMatchObject({ code: 'conflict' })
    await desk.run('story_export', { slug: 'sales', force: true })
    await desk.run('story_export', { slug: 'sales', output: 'sales.md' })
    const text = (await desk.run('story_show', { slug: 'sales' }))['text']
    expect(readFileSync(join(desk.root, 'sales.md'), 'utf8')).toBe(text)
  })
})
