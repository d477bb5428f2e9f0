import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundleGraphViewer } from '../../scripts/graph-viewer.ts'
import { buildGraph } from '../../src/record/domain/graph/graph.ts'
import { graphPage, type GraphViewer } from '../../src/record/domain/graph/page.ts'
import { graphSource, manyDecisions, type Given } from '../sample-record.ts'
import { variedDecisions } from '../varied-record.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from './chromium.ts'

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
const PHONE = { width: 360, height: 740 }

/** The boxes of all texts over the drawing, line by line, as laid out by the browser. */
const TEXT_BOXES = `[...document.querySelectorAll('.view:not([hidden]) .labels span:not([hidden])')].flatMap((span) => {
  if (span.textContent.trim() === '') return []
  const range = document.createRange()
  range.selectNodeContents(span)
  return [...range.getClientRects()].filter((box) => box.width > 0).map((box) => ({
    of: span.textContent, left: box.left, right: box.right, top: box.top + 1, bottom: box.bottom - 1,
  }))
})`

interface TextBox {
  readonly of: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

describe.skipIf(missing !== undefined)('the page in a browser', () => {
  let folder: string
  let viewer: GraphViewer
  let browser: OwnBrowser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-page-')))
    viewer = await bundleGraphViewer()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    expect(complaints).toEqual([])
    await page.context().close()
  })

  interface Screen {
    readonly colorScheme?: 'dark' | 'light'
    readonly hash?: string
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly reducedMotion?: 'reduce'
  }

  /** Opens a page offline and records its console messages and network requests. */
  async function open(html: string, { hash = '', ...screen }: Screen = {}): Promise<void> {
    const path = join(folder, 'page.html')
    writeFileSync(path, html)
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      offline: true,
      colorScheme: 'light',
      hasTouch: screen.viewport !== undefined,
      ...screen,
    })
    page = await context.newPage()
    complaints = []
    page.on('console', (message) => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('request', (request) => request.url().startsWith('file:') || complaints.push(`request: ${request.url()}`))
    await page.goto(pathToFileURL(path).href + hash)
    await settled()
  }

  /** Waits two frames, so that everything requested has been drawn. */
  const settled = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
  const shownTitle = () => page.locator('.panel.open h2').textContent()
  const panels = () => page.locator('.panel.open').count()
  const headings = () => page.locator('.view-graph .heading:visible').allTextContents()
  const names = () => page.locator('.view:visible .name:visible').allTextContents()
  const groupBy = async (name: string) => {
    await page.getByLabel('Group by').selectOption(name)
    await settled()
  }
  /** The centre of the dot above a name. */
  const dotAbove = async (place: number) => {
    const box = (await page.locator(`.view:visible .name[data-place="${place}"]`).boundingBox())!
    return { x: box.x + box.width / 2, y: box.y - 8 }
  }

  test('the keys 1 to 4 and the tabs show every view, one at a time', async () => {
    await open(pageOf(RECORD))
    for (const [i, view] of ['Graph', 'Lineage', 'Timeline', 'Browse'].entries()) {
      await page.keyboard.press(String(i + 1))
      expect(await page.locator('.view:visible').getAttribute('class')).toBe(`view view-${view.toLowerCase()}`)
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe(view)
    }
    expect(await page.locator('.browse-card:visible').count()).toBe(41)
    await page.getByRole('tab', { name: 'Graph' }).click()
    expect(await page.locator('.view:visible').getAttribute('class')).toBe('view view-graph')
  })

  test('decisions are grouped by the reader’s choice, each group with its name and count', async () => {
    await open(pageOf(variedDecisions(120)))
    const counts = async () => (await headings()).map((heading) => Number(/ {2}(\d+)$/.exec(heading)?.[1]))
    const sum = async () => (await counts()).reduce((a, b) => a + b, 0)
    expect(await page.getByLabel('Group by').inputValue()).toBe('folder')
    expect(await sum()).toBe(120)
    await groupBy('Type')
    expect((await headings()).join(' ')).toMatch(/^Architecture {2}\d+ API design {2}\d+ .*No type {2}\d+$/)
    expect(await sum()).toBe(120)
    await groupBy('Date')
    expect((await headings()).at(-1)).toMatch(/^2026/)
    await groupBy('Topic')
    expect((await headings()).length).toBeGreaterThan(5)
    await groupBy('Status')
    expect((await headings()).map((heading) => heading.split('  ')[0])).toEqual(['Active', 'Superseded'])
    await page.keyboard.press('4')
    expect(await page.locator('.browse h2:visible').allTextContents()).toEqual([
      expect.stringMatching(/^Active\d+$/),
      expect.stringMatching(/^Superseded\d+$/),
      'Open questions1',
    ])
    expect(new URL(page.url()).hash).toBe('#browse/status')
  })

  test('a record without types and files is grouped by topic', async () => {
    await open(pageOf(variedDecisions(40).map((given) => ({ ...given, decision_type: null, files_affected: [] }))))
    expect(await page.getByLabel('Group by').inputValue()).toBe('topic')
    expect(await page.getByLabel('Group by').locator('option').allTextContents()).toEqual(['Topic', 'Date', 'Status'])
  })

  test('search covers titles, reasons and rejected alternatives, marks hits and fades the rest', async () => {
    await open(
      pageOf([
        ...manyDecisions(20),
        {
          num: 21,
          title: 'Queues',
          rationale: 'Postgres holds them.',
          rejected: [{ name: 'Redis', reason: 'Loses writes' }],
        },
        { num: 22, title: 'Postgres for all', rationale: 'One thing to run.' },
      ]),
    )
    await page.keyboard.press('/')
    await page.keyboard.type('postgres')
    const options = page.locator('.matches [role=option]')
    expect(await options.allTextContents()).toEqual(['D022Postgres for all', 'D021QueuesPostgres holds them.'])
    expect(await page.locator('.matches mark').allTextContents()).toEqual(['Postgres', 'Postgres'])
    expect(await page.locator('.counts').textContent()).toBe('2 of 22 decisions shown')
    await settled()
    expect((await names()).length).toBe(2)
    await page.getByRole('combobox', { name: /^Search/ }).fill('loses')
    expect(await options.allTextContents()).toEqual(['D021QueuesRejected Redis: Loses writes'])
    await page.getByRole('combobox', { name: /^Search/ }).fill('nothing says this')
    expect(await page.locator('.matches').textContent()).toBe('No matches.')
  })

  test('search works with keys alone: arrows choose, Enter opens, Escape closes and then clears', async () => {
    await open(pageOf(RECORD))
    await page.keyboard.press('/')
    await page.keyboard.type('subject 1')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const chosen = await page.locator('[role=option][aria-selected=true]').getAttribute('id')
    expect(await page.getByRole('combobox', { name: /^Search/ }).getAttribute('aria-activedescendant')).toBe(chosen)
    const title = await page.locator('[role=option][aria-selected=true] > span').textContent()
    await page.keyboard.press('Enter')
    expect(await shownTitle()).toBe(title)
    await page.locator('.relation').first().click()
    expect(await shownTitle()).not.toBe(title)
    await page.keyboard.press('Escape')
    expect(await panels()).toBe(0)
    expect(await page.locator('.counts').textContent()).toMatch(/ of 41 decisions shown$/)
    await page.keyboard.press('Escape')
    expect(await page.locator('.counts').textContent()).toContain('41 decisions')
    await page.keyboard.press('/')
    await page.keyboard.type('d7')
    await page.keyboard.press('Enter')
    expect(await shownTitle()).toBe('Decision about subject 7')
  })

  test.each(['#graph/topic', '#graph/folder', '#timeline/type'])(
    'no texts overlap at three zoom levels of 300 decisions: %s',
    async (hash) => {
      await open(pageOf(variedDecisions(300)), { hash })
      for (const zoom of ['far', 'near', 'nearest']) {
        if (zoom !== 'far') for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
        await settled()
        const boxes = await page.evaluate<TextBox[]>(TEXT_BOXES)
        expect(boxes.length).toBeGreaterThan(3)
        expect(overlapping(boxes)).toEqual([])
      }
    },
  )

  test('zooming in names more decisions, until every visible one has its title', async () => {
    await open(pageOf(variedDecisions(300)), { hash: '#graph/type' })
    const whole = async () => (await names()).filter((name) => !name.includes('…')).length
    const far = await whole()
    expect(far).toBeGreaterThan(0)
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await settled()
    const titles = new Set(variedDecisions(300).map(({ title }) => title))
    const near = (await names()).map((name) => name.replace(/^D\d+\n/, '').replaceAll('\n', ' '))
    expect(near.length).toBeGreaterThan(10)
    expect(near.filter((name) => titles.has(name)).length).toBeGreaterThan(near.length * 0.8)
  })

  test('a click on a dot or its name opens it, a click beside it closes it, a drag only moves', async () => {
    await open(pageOf(RECORD.slice(0, 12)))
    const first = await dotAbove(0)
    await page.mouse.move(first.x, first.y)
    expect(await page.locator('.tip').textContent()).toContain('Decision about subject 1')
    await page.mouse.click(first.x, first.y)
    expect(await shownTitle()).toBe('Decision about subject 1')
    await page.mouse.click(8, 400)
    expect(await panels()).toBe(0)
    await page.mouse.click(first.x, first.y + 14)
    expect(await shownTitle()).toBe('Decision about subject 1')
    await page.keyboard.press('Escape')

    await page.mouse.move(8, 400)
    await page.mouse.down()
    await page.mouse.move(68, 430, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await dotAbove(0)).x - first.x)).toBe(60)
    expect(await panels()).toBe(0)
    await page.mouse.wheel(0, -300)
    await page.getByRole('button', { name: 'Fit' }).click()
    await expect.poll(async () => Math.round((await dotAbove(0)).x - first.x)).toBe(0)
  })

  test('the drawing works with keys: arrows move between decisions, Enter opens, Escape returns', async () => {
    await open(pageOf(RECORD))
    for (const view of ['1', '2', '3']) {
      await page.keyboard.press(view)
      await page.locator('.view:visible .surface').focus()
      await page.keyboard.press('ArrowRight')
      const first = await page.locator('.tip b').textContent()
      await page.keyboard.press('ArrowDown')
      const second = await page.locator('.tip b').textContent()
      expect(second).not.toBe(first)
      expect(await page.locator('.stage > [role=status]').textContent()).toContain(second)
      await page.keyboard.press('Enter')
      expect(await shownTitle()).toBe(second)
      await page.keyboard.press('Escape')
      expect(await panels()).toBe(0)
      expect(await page.evaluate('document.activeElement.className')).toMatch(/surface/)
    }
  })

  test('filters hide decisions and show them again', async () => {
    await open(pageOf(RECORD), { hash: '#browse' })
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: /^Superseded/ }).click()
    expect(await page.locator('.browse-card:visible').count()).toBeLessThan(41)
    expect(await page.locator('.browse-card.s-superseded:visible').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Filter: 1 off' }).count()).toBe(1)
    await page.getByRole('button', { name: /^Superseded/ }).click()
    expect(await page.locator('.browse-card:visible').count()).toBe(41)
  })

  test('the URL keeps view, grouping and decision', async () => {
    await open(pageOf(RECORD), { hash: '#timeline/status/D012' })
    expect(await shownTitle()).toBe('Decision about subject 12')
    expect(await page.locator('.view-timeline').isVisible()).toBe(true)
    await page.keyboard.press('4')
    expect(new URL(page.url()).hash).toBe('#browse/status/D012')
    for (const nonsense of ['nonsense/none/D999', 'toString/constructor', '__proto__/%00/D1e9', '///']) {
      await page.evaluate(`location.hash = '#${nonsense}'`)
      await expect.poll(panels).toBe(0)
      expect(await page.locator('.view:visible').count()).toBe(1)
    }
  })

  test('the timeline shows years when zoomed out and months when zoomed in', async () => {
    await open(pageOf(variedDecisions(300)), { hash: '#timeline' })
    const dates = () => page.locator('.view-timeline .date:visible').allTextContents()
    expect((await dates()).filter((date) => /^20\d\d$/.test(date)).length).toBeGreaterThan(5)
    for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await settled()
    expect((await dates()).join(' ')).toMatch(/Jan|Apr|Jul|Oct/)
  })

  test('hostile text is shown as text and runs nothing', async () => {
    await open(pageOf(RECORD), { hash: '#browse/D041' })
    expect(await shownTitle()).toBe(HOSTILE)
    expect(await page.locator('.panel').textContent()).toContain('click (javascript:window.broken=1)')
    expect(await page.locator('.panel').locator('img, script, a').count()).toBe(0)
    expect(await page.locator('.panel .prose strong').textContent()).toBe('bold')
    await page.locator('.panel .reference', { hasText: 'D8' }).click()
    expect(await shownTitle()).toBe('Decision about subject 8')
    await page.keyboard.press('/')
    await page.keyboard.type('onerror')
    expect(await page.locator('.matches mark').first().textContent()).toBe('onerror')
    for (const view of ['1', '2', '3', '4']) {
      await page.keyboard.press('Escape')
      await page.keyboard.press(view)
      await settled()
    }
    await page.keyboard.press('1')
    await groupBy('Folder')
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate('window.broken')).toBeUndefined()
  })

  test('the theme follows the system or the switch, and is kept after a reload', async () => {
    const background = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.ken-graph')).backgroundColor`)
    await open(pageOf(RECORD))
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(background).not.toBe(light)
    const dark = await background()
    await page.getByRole('button', { name: 'Theme: as the system' }).click()
    expect(await background()).toBe(light)
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await background()).toBe(dark)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await background()).toBe(dark)
    await page.reload()
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    expect(await background()).toBe(light)
  })

  test('nothing scrolls sideways on a phone, and a decision opens as a sheet at the bottom', async () => {
    await open(pageOf([...variedDecisions(120), { num: 121, title: 'x'.repeat(200), rationale: 'y'.repeat(3000) }]), {
      viewport: PHONE,
    })
    const wide = `[document.documentElement, ...document.querySelectorAll('body *')].filter((element) =>
      !element.closest('.surface') && getComputedStyle(element).visibility !== 'hidden' &&
      element.getBoundingClientRect().right > innerWidth + 0.5 && element.getClientRects().length > 0).map((element) => element.className)`
    for (const view of ['Graph', 'Lineage', 'Timeline', 'Browse']) {
      await page.getByRole('tab', { name: view }).click()
      await settled()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await page.evaluate(wide)).toEqual([])
    }
    await page.getByRole('combobox', { name: /^Search/ }).fill('xxx')
    expect(await page.evaluate(wide)).toEqual([])
    await page.locator('.matches [role=option]').first().tap()
    const sheet = (await page.locator('.panel.open').boundingBox())!
    expect(sheet).toMatchObject({ x: 0, width: PHONE.width })
    await expect.poll(async () => Math.round((await page.locator('.panel.open').boundingBox())!.y)).toBeGreaterThan(200)
    expect(await page.evaluate(wide)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).tap()
    expect(await panels()).toBe(0)
  })

  test('a finger pans, two fingers zoom, a tap opens', async () => {
    await open(pageOf(RECORD.slice(0, 12)), { viewport: PHONE })
    const fingers = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly { x: number; y: number }[]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) })
    const before = await dotAbove(0)
    await touch('touchStart', [{ x: 180, y: 500 }])
    for (const y of [510, 530, 550]) await touch('touchMove', [{ x: 180, y }])
    await touch('touchEnd', [])
    await expect.poll(async () => Math.round((await dotAbove(0)).y - before.y)).toBe(50)
    expect(await panels()).toBe(0)
    const width = async () => (await page.locator('.view:visible .heading').first().boundingBox())!.x
    const left = await width()
    await touch('touchStart', [
      { x: 150, y: 500 },
      { x: 210, y: 500 },
    ])
    for (const apart of [40, 60, 80])
      await touch('touchMove', [
        { x: 180 - apart, y: 500 },
        { x: 180 + apart, y: 500 },
      ])
    await touch('touchEnd', [])
    await expect.poll(width).not.toBe(left)
    await page.getByRole('button', { name: 'Fit' }).tap()
    await settled()
    const name = (await page.locator('.view:visible .name[data-place="0"]').boundingBox())!
    await page.touchscreen.tap(name.x + name.width / 2, name.y + name.height / 2)
    expect(await shownTitle()).toBe('Decision about subject 1')
  })

  test('resizing the window keeps the centre, and everything can still be shown on request', async () => {
    await open(pageOf(variedDecisions(120)), { hash: '#graph/type' })
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await settled()
    /** Places of the named decisions, nearest to the centre first. */
    const inTheMiddle = () =>
      page.evaluate<string[]>(`(() => {
        const stage = document.querySelector('.stage').getBoundingClientRect()
        const far = (span) => {
          const box = span.getBoundingClientRect()
          return Math.hypot((box.left + box.right - stage.left - stage.right) / 2, (box.top + box.bottom - stage.top - stage.bottom) / 2)
        }
        const names = [...document.querySelectorAll('.view-graph .name:not([hidden])')]
        return names.sort((a, b) => far(a) - far(b)).map((span) => span.dataset.place)
      })()`)
    const before = (await inTheMiddle())[0]
    await page.setViewportSize({ width: 1000, height: 700 })
    await settled()
    expect((await inTheMiddle()).slice(0, 5)).toContain(before)
    expect((await headings()).length).toBeLessThan(5)
    await page.getByRole('button', { name: 'Fit' }).click()
    await settled()
    expect((await headings()).length).toBe(7)
    await page.setViewportSize({ width: 500, height: 900 })
    await settled()
    expect((await headings()).length).toBe(7)
  })

  test('nothing is animated with reduced motion', async () => {
    await open(pageOf(RECORD), { reducedMotion: 'reduce' })
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.panel')).transitionDuration`)).toBe('0s')
  })

  test('every control has a name', async () => {
    await open(pageOf(RECORD), { hash: '#graph/status/D007' })
    const nameless = await page.evaluate<string[]>(
      `[...document.querySelectorAll('button, input, select, [tabindex], [role=tabpanel]')].filter((element) =>
        !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby') || element.closest('label') || element.textContent.trim())
      ).map((element) => element.outerHTML.slice(0, 80))`,
    )
    expect(nameless).toEqual([])
  })

  test.each([0, 1, 5, 3000])('%i decisions can be drawn, searched and browsed', async (count) => {
    await open(pageOf(variedDecisions(count)))
    for (const key of ['1', '2', '3', '4']) {
      await page.keyboard.press(key)
      await settled()
    }
    expect(await page.locator('.browse-card').count()).toBe(count)
    await page.keyboard.press('1')
    await settled()
    const counts = (await headings()).map((heading) => Number(/ {2}(\d+)$/.exec(heading)?.[1] ?? 0))
    expect(counts.reduce((a, b) => a + b, 0)).toBe(count)
    await page.keyboard.press('/')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    expect(await panels()).toBe(count === 0 ? 0 : 1)
  })

  test('two components on one page are independent, accept new data, and clean up', async () => {
    const entry = join(folder, 'entry.ts')
    const component = resolve(import.meta.dirname, '../../web/graph/mount-graph.ts')
    writeFileSync(entry, `import { mountGraph } from ${JSON.stringify(component)}\nglobalThis.mountGraph = mountGraph`)
    const bundle = await rolldown({ input: entry, platform: 'browser' })
    const [script] = (await bundle.generate({ format: 'iife' })).output
    await bundle.close()
    await open('<!doctype html><title>t</title><h1>Host</h1><div id="a"></div><div id="b"></div>')
    await page.addStyleTag({ content: `${viewer.style} #a, #b { height: 380px }` })
    await page.addScriptTag({ content: script.code })
    const host = await page.evaluate<string>(`getComputedStyle(document.querySelector('h1')).font`)
    const data = (count: number) => JSON.stringify(buildGraph(graphSource(manyDecisions(count)), { bodies: true }))
    await page.evaluate(`
      window.said = []
      window.a = mountGraph(document.querySelector('#a'), ${data(12)}, { id: 'a', theme: 'dark', onState: (state) => said.push(state) })
      window.b = mountGraph(document.querySelector('#b'), ${data(30)}, { id: 'b', theme: 'light', state: { view: 'browse' } })`)
    const ids = await page.evaluate<string[]>(`[...document.querySelectorAll('[id]')].map((element) => element.id)`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).font`)).toBe(host)
    expect(
      await page.locator('.ken-graph').evaluateAll((all) => all.map((each) => each.getAttribute('data-theme'))),
    ).toEqual(['dark', 'light'])
    await page.evaluate(`a.show({ decision: 'D005', by: 'status' })`)
    expect(await page.evaluate('said.at(-1)')).toEqual({ view: 'graph', by: 'status', decision: 'D005', query: '' })
    await page.evaluate(`a.update(${data(7)})`)
    expect(await page.locator('#a .counts').textContent()).toContain('7 decisions')
    expect(await page.locator('#a .panel.open h2').textContent()).toBe('Decision about subject 5')
    expect(await page.locator('#b .browse-card').count()).toBe(30)
    await page.evaluate('a.destroy(); b.destroy()')
    expect(await page.locator('#a > *, #b > *').count()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.press('2')
    await settled()
  })

  const pageOf = (decisions: readonly Given[]): string =>
    graphPage(buildGraph(graphSource(decisions, '- [Q1] Does D7 hold?\n'), { bodies: true }), viewer)
})

function overlapping(boxes: readonly TextBox[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.of !== b.of || a.left !== b.left)
      .filter(
        (b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5,
      )
      .map((b) => `${a.of} / ${b.of}`),
  )
}
