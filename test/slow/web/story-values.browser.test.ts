import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

describe.skipIf(missing)('new stories and their parameters', () => {
  let desk: AppDesk
  let page: Page

  beforeAll(async () => {
    desk = await openAppDesk()
    page = desk.page
  })
  afterAll(() => desk?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const startFrom = async (title: string, from: string): Promise<void> => {
    await button('New story').click()
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('combobox', { name: 'Start from' }).selectOption(from)
    await button('Start').click()
  }
  const article = (title: string) => page.getByRole('article', { name: title, exact: true })

  test('a template runs over a table of the context, and its reader changes the period', async () => {
    await desk.goto('stories')
    await startFrom('The month in orders', 'A period beside the one before')
    const story = article('The month in orders')
    await story.getByRole('table').getByRole('columnheader', { name: 'period_before' }).waitFor()
    const period = page
      .getByRole('textbox', { name: 'Period, compared' })
      .or(page.getByRole('combobox', { name: 'Period, compared' }))
    expect(await period.inputValue()).toBe('last month')
    const rows = async (): Promise<unknown> => (await desk.run('story_show', { slug: 'the-month-in-orders' })).data[0]
    const before = await rows()
    await period.fill('soon')
    await page.getByText(/"soon" is not a period/).waitFor()
    expect(await button('Apply').isDisabled()).toBe(true)
    await period.fill('this year')
    await page.reload()
    expect(await period.inputValue()).toBe('this year')
    await period.press('Enter')
    await expect.poll(async () => JSON.stringify(await rows()) !== JSON.stringify(before)).toBe(true)
    await page.getByText(/^\d{4}-01-01 to \d{4}-12-31$/).waitFor()
    expect((await desk.run('story_show', { slug: 'the-month-in-orders' })).lines[0]).toMatch(/: this year \(/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await button('More for this story').click()
        await page.getByRole('menuitem', { name: 'Download HTML' }).click()
      })(),
    ])
    const html = readFileSync(await download.path(), 'utf8')
    expect(html).toMatch(/<em>Made with .*: this year \(\d{4}-01-01 to/)
    expect(html).not.toMatch(/<input|<select/)
    expect(desk.problems()).toEqual([])
  })

  test('a blank page gets its blocks from a menu; saving runs its statements', async () => {
    await desk.goto('stories')
    await startFrom('What we sold', 'Blank page')
    const editor = page.getByRole('textbox', { name: 'Text of What we sold' })
    await editor.click()
    await page.keyboard.press('Control+End')
    await button('Insert').click()
    await page.getByRole('menuitem', { name: 'Parameter: value' }).click()
    await page.keyboard.press('Control+End')
    await button('Insert').click()
    await page.getByRole('menuitem', { name: 'Number' }).click()
    await expect.poll(() => editor.innerText()).toContain('```sql q_1')
    await desk.axe().then((found) => expect(found).toEqual([]))
    // The focus is in the editor again, behind the new block.
    await page.keyboard.press('Control+a')
    // Without it, Chromium gives the new text the colour of the old as an inline style, which the policy refuses.
    await page.keyboard.press('Backspace')
    await page.keyboard.insertText(STORY)
    await page.keyboard.press('Control+s')
    const story = article('What we sold')
    const status = story.getByRole('combobox', { name: 'Status' })
    await expect
      .poll(async () => JSON.stringify((await desk.run('story_show', { slug: 'what-we-sold' })).last_refresh), {
        timeout: 15_000,
      })
      .toContain('"ok":true')
    await story.getByText('orders', { exact: true }).first().waitFor()
    await status.click()
    await page.getByRole('option', { name: 'cancelled' }).click()
    await expect
      .poll(async () => (await desk.run('story_show', { slug: 'what-we-sold' })).lines[0])
      .toBe('Made with Status: cancelled; At least: 0.')
    expect(desk.problems()).toEqual([])
  })

  test('a copy has the rows of its original', async () => {
    await desk.goto('stories')
    await startFrom('Another month', 'Copy of “The month in orders”')
    await article('Another month').getByRole('table').getByRole('columnheader', { name: 'period_before' }).waitFor()
    expect((await desk.run('story_show', { slug: 'another-month' })).data).toEqual(
      (await desk.run('story_show', { slug: 'the-month-in-orders' })).data,
    )
    expect(desk.problems()).toEqual([])
  })

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('axe finds nothing, %s at %i', async (colorScheme, width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const look = async (name: string): Promise<void> => {
      if (process.env['KEN_SHOTS'])
        await page.screenshot({ path: `${process.env['KEN_SHOTS']}/${name}-${colorScheme}-${width}.png` })
      expect(await desk.axe(), name).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await desk.goto('stories/the-month-in-orders')
    await look('story')
    await desk.goto('stories/the-month-in-orders?view=edit')
    await look('edit')
    await desk.goto('stories')
    await button('New story').click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await look('new')
    await page.keyboard.press('Escape')
    expect(desk.problems()).toEqual([])
  })
})

const STORY = `# What we sold

<param name="status" default="" from="q_statuses.status" title="Status"/>

<param name="least" kind="number" default="0" title="At least"/>

\`\`\`sql q_statuses
SELECT DISTINCT status FROM orders ORDER BY status
\`\`\`

\`\`\`sql q_total
SELECT count(*) AS orders FROM orders WHERE (:status = '' OR status = :status) AND id >= :least
\`\`\`

<chart query="q_total" kind="kpi" y="orders" title="Orders"/>
`
