import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundleGraphViewer } from '../../scripts/graph-viewer.ts'
import { buildGraph } from '../../src/core/graph/graph.ts'
import { graphPage, type GraphViewer } from '../../src/core/graph/page.ts'
import { graphSource, manyDecisions, type Given } from '../sample-record.ts'
import { chromiumMissing, launchChromium } from './chromium.ts'

const missing = chromiumMissing()
if (missing !== undefined) console.warn(`skipped: ${missing}`)

const HOSTILE = '</script><script>window.broken = 1</script><img src=x onerror="window.broken = 1">'
const RECORD: Given[] = [
  ...manyDecisions(40),
  {
    num: 41,
    title: HOSTILE,
    rationale: `${HOSTILE}\n\n[click](javascript:window.broken=1) and **bold** after D8.`,
    rejected: [{ name: HOSTILE, reason: HOSTILE }],
    files_affected: [HOSTILE],
  },
]

describe.skipIf(missing !== undefined)('the page in a browser', () => {
  let folder: string
  let viewer: GraphViewer
  let browser: Browser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-page-')))
    viewer = await bundleGraphViewer()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    expect(complaints).toEqual([])
    await page.context().close()
  })

  /** Opens a page offline; everything it complains of or asks the network for is noted. */
  async function open(html: string, options: { colorScheme?: 'dark' | 'light'; hash?: string } = {}): Promise<void> {
    const path = join(folder, 'page.html')
    writeFileSync(path, html)
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      offline: true,
      colorScheme: options.colorScheme ?? 'light',
    })
    page = await context.newPage()
    complaints = []
    page.on('console', (message) => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('request', (request) => request.url().startsWith('file:') || complaints.push(`request: ${request.url()}`))
    await page.goto(pathToFileURL(path).href + (options.hash ?? ''))
  }

  const shownTitle = () => page.locator('#panel.open h2').textContent()

  test('the keys 1 to 4 bring up every view', async () => {
    await open(pageOf(RECORD))
    expect(await page.locator('#view-graph .dots .dot').count()).toBe(41)
    await page.keyboard.press('2')
    expect(await page.locator('#view-lineage .card').count()).toBeGreaterThan(5)
    await page.keyboard.press('3')
    expect(await page.locator('#view-timeline .dots .dot').count()).toBe(41)
    await page.keyboard.press('4')
    expect(await page.locator('.browse-card:visible').count()).toBe(41)
  })

  test('the tabs switch views, one at a time', async () => {
    await open(pageOf(RECORD))
    for (const view of ['Lineage', 'Timeline', 'Browse', 'Graph']) {
      await page.getByRole('tab', { name: view }).click()
      expect(await page.locator('.view:visible').getAttribute('id')).toBe(`view-${view.toLowerCase()}`)
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe(view)
    }
  })

  test('search finds by number and by title, and opens the decision; relations lead on; Escape closes', async () => {
    await open(pageOf(RECORD))
    await page.keyboard.press('/')
    await page.keyboard.type('subject 17')
    expect(await page.locator('#matches li').allTextContents()).toEqual(['D017Decision about subject 17'])
    expect(await page.locator('#counts').textContent()).toBe('1 of 41 decisions shown')
    expect(await page.locator('#view-graph .dot:not(.off)').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('#counts').textContent()).toContain('41 decisions')

    await page.keyboard.press('/')
    await page.keyboard.type('d7')
    await page.keyboard.press('Enter')
    expect(await shownTitle()).toBe('Decision about subject 7')
    await page.locator('.relation').first().click()
    expect(await shownTitle()).not.toBe('Decision about subject 7')
    await page.keyboard.press('Escape')
    expect(await page.locator('#panel.open').count()).toBe(0)
  })

  test('a click on a dot opens it, a click beside it closes it, a drag moves and opens nothing', async () => {
    await open(pageOf(RECORD))
    const transform = () => page.locator('#view-graph .surface > g').first().getAttribute('transform')
    const before = await transform()
    await page.mouse.move(200, 400)
    await page.mouse.down()
    await page.mouse.move(260, 430, { steps: 4 })
    await page.mouse.up()
    await expect.poll(transform).not.toBe(before)
    expect(await page.locator('#panel.open').count()).toBe(0)
    const moved = await transform()
    await page.mouse.wheel(0, -300)
    await expect.poll(transform).not.toBe(moved)
    await page.getByRole('button', { name: 'Fit' }).click()
    await expect.poll(transform).toBe(before)

    await page.locator('.dots .dot[data-place="0"]').click()
    expect(await shownTitle()).toBe('Decision about subject 1')
    await page.mouse.click(30, 300)
    expect(await page.locator('#panel.open').count()).toBe(0)
  })

  test('filters leave decisions out and bring them back', async () => {
    await open(pageOf(RECORD), { hash: '#browse' })
    await page.getByRole('button', { name: 'Superseded', exact: false }).click()
    const left = await page.locator('.browse-card:visible').count()
    expect(left).toBeLessThan(41)
    expect(await page.locator('.browse-card.s-superseded:visible').count()).toBe(0)
    await page.getByRole('button', { name: 'Superseded', exact: false }).click()
    expect(await page.locator('.browse-card:visible').count()).toBe(41)
  })

  test('the address remembers view and decision', async () => {
    await open(pageOf(RECORD), { hash: '#timeline/D012' })
    expect(await shownTitle()).toBe('Decision about subject 12')
    expect(await page.locator('#view-timeline').isVisible()).toBe(true)
    await page.keyboard.press('4')
    expect(new URL(page.url()).hash).toBe('#browse/D012')
  })

  test('hostile text is shown as text and runs nothing', async () => {
    await open(pageOf(RECORD), { hash: '#browse/D041' })
    expect(await shownTitle()).toBe(HOSTILE)
    expect(await page.locator('#panel').textContent()).toContain('click (javascript:window.broken=1)')
    expect(await page.locator('#panel img, #panel script, #panel a').count()).toBe(0)
    expect(await page.locator('#panel .prose strong').textContent()).toBe('bold')
    await page.locator('#panel .reference', { hasText: 'D8' }).click()
    expect(await shownTitle()).toBe('Decision about subject 8')
    expect(await page.evaluate('window.broken')).toBeUndefined()
  })

  test('it is light or dark as the reader likes it', async () => {
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await open(pageOf(RECORD))
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).not.toBe(light)
  })

  test.each([0, 1, 5, 2000])('%i decisions can be drawn, searched and browsed', async (count) => {
    await open(pageOf(manyDecisions(count)))
    for (const key of ['1', '2', '3', '4']) await page.keyboard.press(key)
    expect(await page.locator('.browse-card').count()).toBe(count)
    await page.keyboard.press('1')
    expect(await page.locator('#view-graph .dots .dot').count()).toBe(count)
    await page.keyboard.press('/')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    expect(await page.locator('#panel.open').count()).toBe(count === 0 ? 0 : 1)
  })

  const pageOf = (decisions: readonly Given[]): string =>
    graphPage(buildGraph(graphSource(decisions, '- [Q1] Does D7 hold?\n'), { bodies: true }), viewer)
})
