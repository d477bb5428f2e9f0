import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const SLUG = 'revenue'
const TITLE = 'Revenue by month'

describe.skipIf(missing)('stories on a page', () => {
  let desk: AppDesk
  let page: Page

  beforeAll(async () => {
    desk = await openAppDesk()
    page = desk.page
  })
  afterAll(() => desk?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const textOf = async (): Promise<string> => (await desk.run('story_show', { slug: SLUG })).text
  const chart = () => page.getByRole('img', { name: /chart/ }).first()

  async function downloaded(act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([page.waitForEvent('download'), act()])
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }
  const fromMenu = async (item: string): Promise<void> => {
    await button('More for this story').click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  test('a story is found and opened by keyboard, with its chart, rows and queries', async () => {
    await desk.goto('stories')
    await page.keyboard.press('/')
    await page.keyboard.type('month rev')
    await expect.poll(() => page.url()).toContain('q=month+rev')
    await page.getByRole('option', { name: new RegExp(TITLE) }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('listbox', { name: 'Stories' }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: TITLE, level: 2 }).waitFor()
    await chart().waitFor()
    expect(await chart().getAttribute('aria-label')).toMatch(/line chart: .*first .*last/)
    await page.getByRole('table').getByRole('columnheader', { name: 'revenue' }).waitFor()
    await page.getByRole('button', { name: /^Open q_/ }).click()
    const grid = page.getByRole('grid', { name: /^Result of q_/ })
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toMatch(/-14-2$/)
    await page.getByRole('tab', { name: 'SQL' }).click()
    expect(await page.getByRole('tabpanel').last().innerText()).toMatch(/select/i)
    await page.goBack()
    await expect.poll(() => page.url()).toMatch(/stories\?q=/)
    expect(desk.problems()).toEqual([])
  })

  test('a chart can be changed to another kind, downloaded as an image and shown as rows', async () => {
    await desk.goto(`stories/${SLUG}`)
    await chart().waitFor()
    await page.getByRole('combobox', { name: 'Chart type' }).selectOption('bar')
    await expect.poll(() => chart().getAttribute('aria-label')).toMatch(/^bar chart/)
    const svg = await downloaded(() => button('Download as SVG').click())
    expect(svg.name).toBe('revenue-by-month.svg')
    expect(svg.bytes.toString()).toMatch(/^<svg [^]*<\/svg>\s*$/)
    const png = await downloaded(() => button('Download as PNG').click())
    expect([...png.bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    await button('Rows').click()
    await page.getByRole('grid', { name: `Rows of ${TITLE}` }).waitFor()
    expect(desk.problems()).toEqual([])
  })

  test('typed text is previewed, kept through a reload, and saved as a version that can be undone', async () => {
    const before = await textOf()
    await desk.goto(`stories/${SLUG}`)
    await page.getByRole('heading', { name: TITLE, level: 2 }).waitFor()
    await page.keyboard.press('e')
    const editor = page.getByRole('textbox', { name: `Text of ${TITLE}` })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n\n## What I think\n\nIt *grows*.\n\n<chart query="q_none" kind="bar"/>')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'What I think' }).waitFor()
    await preview.getByText('There is no result of q_none to draw from').waitFor()
    await page.getByText('there is no result of q_none to draw from', { exact: false }).first().waitFor()
    await page.reload()
    await expect.poll(() => editor.innerText()).toContain('What I think')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved version 2').waitFor()
    expect(await textOf()).toContain('## What I think')
    await page.getByRole('heading', { name: 'What I think' }).waitFor()

    await page.keyboard.press('v')
    await page.getByRole('heading', { name: `Versions of ${TITLE}` }).waitFor()
    const diff = page.getByRole('region', { name: 'Version 1 → 2' }).last()
    await diff.getByText('## What I think').waitFor()
    await button('Side by side').click()
    await button('Restore version 1').click()
    await page.getByText('Version 1 is now version 3').waitFor()
    expect(await textOf()).toBe(before)
    await button('Undo')
      .or(page.getByRole('button', { name: /^Undo/ }))
      .first()
      .click()
    await expect.poll(textOf).toContain('## What I think')
    expect(desk.problems()).toEqual([])
  })

  test('a draft survives a concurrent save, and overwrites nothing', async () => {
    await desk.goto(`stories/${SLUG}?view=edit`)
    const editor = page.getByRole('textbox', { name: `Text of ${TITLE}` })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nMine.')
    await desk.run('story_edit', { slug: SLUG, text: `${await textOf()}\nTheirs.\n` })
    await button('Save').click()
    await page.getByText(/was saved after you started from version/).waitFor()
    expect(await textOf()).toContain('Theirs.')
    expect(await editor.innerText()).toContain('Mine.')
    await page.getByText('Theirs.').first().waitFor()
    await button('Save mine as the next version').click()
    await page.getByText(/^Saved version/).waitFor()
    expect(await textOf()).toContain('Mine.')
    const { versions } = await desk.run('story_versions', { slug: SLUG })
    const [, theirs] = versions
    expect((await desk.run('story_show', { slug: SLUG, version: theirs.version })).text).toContain('Theirs.')
    // The browser logs the refusal as well.
    expect(desk.problems().filter((line) => !line.includes('409 (Conflict)'))).toEqual([])
  })

  test('a story is refreshed, scheduled in plain English, and exported as HTML, PDF and Markdown', async () => {
    const refreshed = async (): Promise<string> => (await desk.run('stories_list')).stories[0].last_refresh?.at ?? ''
    const before = await refreshed()
    await desk.goto(`stories/${SLUG}`)
    await button('Refresh').click()
    await expect.poll(async () => (await refreshed()) > before).toBe(true)
    await fromMenu('Schedule')
    const when = page.getByRole('textbox', { name: 'When' })
    await when.fill('every blue moon')
    await page.getByRole('alert').waitFor()
    expect(await button('Save').isDisabled()).toBe(true)
    await when.fill('every weekday at 8')
    await page.getByText(/Monday to Friday at 08:00 .*next on/).waitFor()
    await when.press('Enter')
    await page.getByText('Refreshed Monday to Friday at 08:00').waitFor()
    expect((await desk.run('stories_list')).stories[0].schedule.cron).toBe('0 8 * * 1-5')
    const html = await downloaded(() => fromMenu('Download HTML'))
    expect(html.name).toBe(`${SLUG}.html`)
    expect(html.bytes.toString()).toContain('<svg')
    const pdf = await downloaded(() => fromMenu('Download PDF'))
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = await downloaded(() => fromMenu('Download Markdown'))
    expect(text.bytes.toString().trim()).toBe((await textOf()).trim())
    expect(desk.problems()).toEqual([])
  })

  test('a file that arrives long after the click is saved, and can be saved again', async () => {
    await desk.goto(`stories/${SLUG}`)
    // Longer than Chromium's user activation lasts after a click.
    await page.route('**/v1/story_export*', async (route) => {
      await new Promise((done) => setTimeout(done, 6_500))
      await route.continue()
    })
    const late = await downloaded(() => fromMenu('Download PDF'))
    expect(late.name).toBe(`${SLUG}.pdf`)
    expect(late.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const again = await downloaded(() => button('Save again').click())
    expect(again).toEqual(late)
    await page.unroute('**/v1/story_export*')
    expect(desk.problems()).toEqual([])
  })

  test('a story is archived with an undo, and an empty page explains itself', async () => {
    await desk.goto(`stories/${SLUG}`)
    await fromMenu('Archive')
    await page.getByText(`Archived “${TITLE}”`).waitFor()
    expect((await desk.run('stories_list')).stories).toEqual([])
    await desk.goto('stories')
    await page.getByRole('link', { name: 'Ask for a story' }).waitFor()
    await button('Archived stories').click()
    await page.getByRole('option', { name: new RegExp(TITLE) }).click()
    await fromMenu('Restore')
    await expect.poll(async () => (await desk.run('stories_list')).stories.length).toBe(1)
    await fromMenu('Archive')
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await expect.poll(async () => (await desk.run('stories_list')).stories.length).toBe(1)
    expect(desk.problems()).toEqual([])
  })

  test('hostile text is text: nothing runs, and nothing is requested', async () => {
    const before = await textOf()
    await desk.run('story_edit', { slug: SLUG, text: HOSTILE_STORY })
    await desk.goto(`stories/${SLUG}`)
    const article = page.getByRole('article', { name: TITLE })
    await article.getByText('<script>document.title = "owned"</script>').waitFor()
    await article.getByText('javascript:alert(1)').first().waitFor()
    await article.getByText('https://elsewhere.example/pixel.png').first().waitFor()
    const links = await article.getByRole('link').evaluateAll((all) => all.map((one) => one.outerHTML))
    expect(
      links.filter(
        (one) => !/^<a href="(?:https:\/\/|mailto:)[^"]*" target="_blank" rel="noopener noreferrer"/.test(one),
      ),
    ).toEqual([])
    expect(await article.locator('img, iframe, script, style, object, form').count()).toBe(0)
    expect(await page.title()).not.toContain('owned')
    await desk.goto(`stories/${SLUG}?view=edit`)
    await page.getByRole('region', { name: 'Preview' }).getByText('owned', { exact: false }).first().waitFor()
    expect(desk.problems()).toEqual([])
    await desk.run('story_edit', { slug: SLUG, text: before })
  })

  test('a number from no query is marked, and listed above the text', async () => {
    const before = await textOf()
    await desk.run('story_edit', { slug: SLUG, text: `${before}\nSold in 99887 shops.\n` })
    await desk.goto(`stories/${SLUG}`)
    const article = page.getByRole('article', { name: TITLE })
    await article.getByText('99887(?) shops').waitFor()
    await article
      .getByRole('note')
      .getByText(/from no query: .*99887/)
      .waitFor()
    await desk.run('story_edit', { slug: SLUG, text: before })
    expect(desk.problems()).toEqual([])
  })

  test.each(['light', 'dark'] as const)('axe finds nothing, %s', async (theme) => {
    await page.emulateMedia({ colorScheme: theme })
    for (const path of ['stories', `stories/${SLUG}`, `stories/${SLUG}?view=edit`, `stories/${SLUG}?view=versions`]) {
      await desk.goto(path)
      if (path.endsWith(SLUG))
        await page
          .getByRole('button', { name: /^Open q_/ })
          .first()
          .click()
      expect(await desk.axe(), path).toEqual([])
    }
    expect(desk.problems()).toEqual([])
  })
})

const HOSTILE_STORY = `# ${TITLE}

<script>document.title = "owned"</script>

<img src="https://elsewhere.example/pixel.png" onerror="document.title='owned'">

![a picture](https://elsewhere.example/pixel.png) ![x](javascript:alert(1))

[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [right](https://example.org/a?b=c) [post](mailto:a@example.org)

<iframe src="https://elsewhere.example/"></iframe> <style>body { background: url(https://elsewhere.example/x) }</style>

| <b>a</b> | {{constructor}} |
| --- | --- |
| <svg onload=alert(1)> | [x](vbscript:x) |

<chart query="q_none" kind="bar" title="<script>document.title='owned'</script>"/>
`
