import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'
import { hostile } from './plant-hostile.ts'

describe.skipIf(chromiumMissing() !== undefined)('comments on a story', () => {
  let desk: AppDesk
  let page: Page

  beforeAll(async () => {
    desk = await openAppDesk()
    page = desk.page
  })
  afterAll(() => desk?.close())

  const SLUG = 'revenue'
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const thread = (on: string) => page.getByRole('region', { name: `Comments on ${on}`, exact: true })
  const open = async (): Promise<void> => {
    await desk.goto(`stories/${SLUG}`)
    await page.getByRole('img', { name: /chart/ }).first().waitFor()
  }
  const threads = async () => (await desk.run('story_comments', { slug: SLUG })).threads

  test('a person comments on a chart, answers, resolves and reopens, and removes it', async () => {
    await open()
    await page.keyboard.press('c')
    await button('Comment on block 3').click()
    const field = page.getByRole('textbox', { name: 'Comment on block 3' })
    await field.fill('Is this net of refunds?')
    await open()
    await page.keyboard.press('c')
    await button('Comment on block 3').click()
    expect(await field.inputValue()).toBe('Is this net of refunds?')
    await field.press('Control+Enter')
    const chart = thread('Revenue by month')
    await chart.getByText('Is this net of refunds?').waitFor()
    await chart.getByRole('button', { name: 'Reply' }).click()
    await chart.getByRole('textbox', { name: 'Reply to You' }).fill('Yes.')
    await chart.getByRole('button', { name: 'Reply' }).click()
    await expect.poll(async () => (await threads())[0].comments.length).toBe(2)
    await chart.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('1 resolved').click()
    await page.getByText(/^Resolved by You/).waitFor()
    await chart.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('1 resolved').waitFor({ state: 'detached' })
    await chart.getByRole('button', { name: 'Remove the comment of You' }).last().click()
    await button('Remove for good').click()
    await expect.poll(async () => (await threads())[0].comments.length).toBe(1)
    expect(desk.problems()).toEqual([])
  })

  test('a comment stays with its block after an edit, and is listed at the end if the block is gone', async () => {
    await desk.run('story_comment', { slug: SLUG, text: 'Which ones?', on: 'the months' })
    const { text } = await desk.run('story_show', { slug: SLUG })
    await desk.run('story_edit', { slug: SLUG, text: text.replace('<chart', 'New above it.\n\n<chart') })
    await open()
    const beside = page.locator('[data-commented]').filter({ has: thread('Revenue by month') })
    await beside.getByRole('img', { name: /chart/ }).waitFor()
    await desk.run('story_edit', { slug: SLUG, text: text.replace('## The months', '') })
    await open()
    await page.getByText('On a block that is gone: The months').waitFor()
    await desk.run('story_edit', { slug: SLUG, text })
    expect(desk.problems()).toEqual([])
  })

  test('hostile text is text: nothing runs, and nothing is requested', async () => {
    const { id } = await desk.run('story_comment', { slug: SLUG, text: hostile('http://127.0.0.1:9') })
    await open()
    await thread('the story').getByText("<script>window.pwned = 'script'</script>").waitFor()
    expect(await thread('the story').locator('img, iframe, script, style, a, form, base').count()).toBe(0)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(desk.problems()).toEqual([])
    await desk.run('story_comment_remove', { slug: SLUG, comment: id })
  })

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'comments are beside their block if there is room, and axe finds nothing: %s at %i',
    async (theme, width) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      await open()
      const [block, comments] = [
        await page.getByRole('img', { name: /chart/ }).first().boundingBox(),
        await thread('Revenue by month').boundingBox(),
      ]
      expect(comments!.x >= block!.x + block!.width).toBe(width === 1440)
      expect(comments!.y >= block!.y + block!.height).toBe(width === 390)
      const look = async (name: string): Promise<void> => {
        if (process.env['KEN_SHOTS'])
          await page.screenshot({ path: `${process.env['KEN_SHOTS']}/${name}-${theme}-${width}.png`, fullPage: true })
        expect(await desk.axe(), name).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
      await look('comments')
      await button('Comment').click()
      await thread('Revenue by month').getByRole('button', { name: 'Reply' }).click()
      await look('commenting')
      expect(desk.problems()).toEqual([])
    },
  )
})
