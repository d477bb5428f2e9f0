import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reportHtml } from '../../src/evaluation/domain/report-html.ts'
import { reportJunit } from '../../src/evaluation/domain/report-junit.ts'
import type { TestAttempt } from '../../src/evaluation/domain/test-run.ts'
import { shopReport } from '../sample-runs.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from './chromium.ts'

const missing = chromiumMissing()
if (missing !== undefined) console.warn(`skipped: ${missing}`)

const HOSTILE = `</script><script>window.spoilt = 1</script></pre></style><img src=x onerror="window.spoilt = 1">]]>\u0000\u001b&'"`

const spoilt = (one: TestAttempt): TestAttempt => ({
  ...one,
  name: `${one.name} ${HOSTILE}`,
  case: `${one.case} ${HOSTILE}`,
  file: `${one.file} ${HOSTILE}`,
  tags: [...one.tags, HOSTILE],
  model: one.model === '-' ? '-' : `${one.model} ${HOSTILE}`,
  prompt: HOSTILE,
  answer: HOSTILE,
  checks: one.checks.map(({ difference, ...check }) => ({
    ...check,
    expects: HOSTILE,
    found: HOSTILE,
    ...(difference !== undefined && {
      difference: {
        ...difference,
        reason: HOSTILE,
        columns: [{ expected: HOSTILE, found: `x${HOSTILE}` }],
        cells: [{ column: HOSTILE, row: 1, expected: HOSTILE, found: HOSTILE }],
        missingRows: [[HOSTILE]],
        extraRows: [[HOSTILE]],
      },
    }),
  })),
  calls: one.calls.map((call) => ({ ...call, tool: HOSTILE, input: HOSTILE, result: HOSTILE })),
})

describe.skipIf(missing !== undefined)('the report of a run in a browser', () => {
  let folder: string
  let browser: OwnBrowser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-report-')))
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

  /** Opens a page offline and records its console messages and network requests. */
  async function open(html: string, screen: BrowserContextOptions = {}, hash = ''): Promise<void> {
    const path = join(folder, 'report.html')
    writeFileSync(path, html)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...screen })
    page = await context.newPage()
    complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith('file://')) complaints.push(request.url())
    })
    await page.goto(`${pathToFileURL(path).href}${hash}`)
  }
  const shown = () => page.locator('details.case:visible').count()

  test('no text of a run is rendered as an element or executed', async () => {
    const clean = reportHtml(shopReport())
    await open(clean)
    const elements = () =>
      page.evaluate<
        Record<string, number>
      >(`Object.fromEntries(['script', 'style', 'img', 'pre', 'details', 'section'].map(
        (tag) => [tag, document.querySelectorAll(tag).length]))`)
    const before = await elements()
    await page.context().close()
    await open(reportHtml(shopReport(spoilt)))
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await page.evaluate('window.spoilt')).toBeUndefined()
    expect(await elements()).toEqual(before)
    expect(await page.locator('pre').first().innerText()).toContain('</script><script>window.spoilt = 1</script>')
  })

  test('the list is filtered by words, outcome, kind and tag, and shows how many are left', async () => {
    await open(reportHtml(shopReport()))
    expect(await shown()).toBe(8)
    await page.getByLabel('Came out').selectOption('failed')
    expect(await shown()).toBe(3)
    await page.getByLabel('Kind').selectOption('sql')
    expect(await page.getByRole('status').innerText()).toBe('1 of 8 cases')
    await page.getByLabel('Kind').selectOption('')
    await page.getByLabel('Came out').selectOption('')
    await page.getByLabel('Tag').selectOption('record')
    expect(await shown()).toBe(4)
    await page.getByLabel('Tag').selectOption('')
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    await page.keyboard.type('MONTH revenue')
    expect(await page.getByLabel('Words').inputValue()).toBe('MONTH revenue')
    expect(await shown()).toBe(1)
    await page.getByLabel('Words').fill('nothing like this')
    expect(await page.getByText('No case is like that.').isVisible()).toBe(true)
  })

  test('a hostile tag can be chosen like any other', async () => {
    await open(reportHtml(shopReport(spoilt)))
    await page.getByLabel('Tag').selectOption({ index: 1 })
    expect(await shown()).toBeGreaterThan(0)
  })

  test('a case is opened with the keyboard and shows the cells that differ', async () => {
    await open(reportHtml(shopReport()))
    await page.locator('summary', { hasText: 'revenue by month' }).focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table').filter({ hasText: '104913.4' })
    expect(await table.locator('td.differs').allInnerTexts()).toEqual(['79040.5', '104913.4', 'null'])
    expect(await table.locator('td.expected').allInnerTexts()).toEqual(['78412.5', '104300', '121777.25'])
  })

  test('a regression links to its case, which opens', async () => {
    await open(reportHtml(shopReport()))
    await page.getByRole('link', { name: /revenue by month/ }).click()
    expect(await page.locator('details.case[open] .name').allInnerTexts()).toEqual(['revenue by month of 2025'])
  })

  test('every case can be read and opened without JavaScript', async () => {
    await open(reportHtml(shopReport()), { javaScriptEnabled: false })
    expect(await shown()).toBe(8)
    expect(await page.locator('form').isVisible()).toBe(false)
    await page.locator('details.case > summary').first().click()
    expect(await page.getByText('March of which year do you mean?').first().isVisible()).toBe(true)
  })

  test.each([320, 390, 768, 1440])('nothing overflows at a width of %i, with everything open', async (width) => {
    await open(reportHtml(shopReport(spoilt)), { viewport: { width, height: 800 } })
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test.each(['light', 'dark'] as const)('in the %s theme every text has enough contrast', async (colorScheme) => {
    await open(reportHtml(shopReport()), { colorScheme })
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await page.evaluate<string[]>(FAINT_TEXTS)).toEqual([])
  })

  test('every control and image has a name, and heading levels are in order', async () => {
    await open(reportHtml(shopReport()))
    const nameless = await page.evaluate<number>(`[...document.querySelectorAll('input, select, button, svg')].filter(
      (one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label'))).length`)
    expect(nameless).toBe(0)
    expect(await page.getByRole('img').count()).toBe(2)
    const levels = await page.evaluate<number[]>(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))`,
    )
    expect(levels[0]).toBe(1)
    for (const [index, level] of levels.entries()) if (index > 0) expect(level - levels[index - 1]!).toBeLessThan(2)
  })

  test('the JUnit file is valid XML, whatever it quotes', async () => {
    await open(reportHtml(shopReport()))
    const parsed = await page.evaluate<{ errors: number; cases: number; text: string }>(`(() => {
      const document = new DOMParser().parseFromString(${JSON.stringify(reportJunit(shopReport(spoilt)))}, 'text/xml')
      return {
        errors: document.querySelectorAll('parsererror').length,
        cases: document.querySelectorAll('testcase').length,
        text: document.querySelector('failure').textContent,
      }
    })()`)
    expect(parsed).toMatchObject({ errors: 0, cases: 13, text: expect.stringContaining('<img src=x onerror=') })
  })
})

/** Texts with a contrast below 4.5:1, by computed colours. */
const FAINT_TEXTS = `(() => {
  const rgb = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number)
    return { r, g, b, a }
  }
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor)
      if (colour.a === 1) return colour
    }
    return { r: 255, g: 255, b: 255 }
  }
  return [...document.querySelectorAll('main *, footer *')].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    if (!own || element.closest('svg, [hidden], option') || element.offsetParent === null) return []
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    return contrast < 4.5 ? [element.className + ' ' + element.textContent.slice(0, 40) + ' ' + contrast.toFixed(2)] : []
  })
})()`
