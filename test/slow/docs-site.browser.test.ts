import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDocsSite, siteFiles } from '../../scripts/docs-site.ts'
import { ERROR_TABLE } from '../../src/kernel/domain/errors.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from './chromium.ts'

const missing = chromiumMissing()
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-docs-')))
const site = join(place, 'docs')
let browser: OwnBrowser | undefined

beforeAll(async () => {
  await buildDocsSite(site)
  if (missing === undefined) browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  rmSync(place, { recursive: true, force: true })
})

const pages = (): string[] =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
const read = (name: string): string => readFileSync(join(site, name), 'utf8')

test('every page of the documentation is a page of the site', () => {
  expect(pages().length).toBe(siteFiles().length)
})

test('every link, picture and anchor of the site exists', () => {
  const anchors = new Map(
    pages().map((name) => [name, new Set([...read(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const broken = pages().flatMap((name) =>
    [...read(name).matchAll(/(?:href|src)="(?!https?:|mailto:)([^"#]*)(?:#([^"]*))?"/g)]
      .filter(([, address, anchor]) => {
        const target = address === '' ? name : relative(site, join(site, dirname(name), address!))
        return !existsSync(join(site, target)) || (anchor !== undefined && !anchors.get(target)?.has(anchor))
      })
      .map(([link]) => `${name}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('troubleshooting has an address for each error code', () => {
  for (const code of Object.keys(ERROR_TABLE)) expect(read('troubleshooting.html')).toContain(`<h2 id="${code}">`)
})

test.skipIf(missing !== undefined)(
  'a search leads to the section, from a disk and without a network',
  async () => {
    const context = await browser!.newContext({ offline: true })
    const page = await context.newPage()
    const asked: string[] = []
    const problems: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(pathToFileURL(join(site, 'guides/record.html')).href)
    await page.keyboard.press('/')
    await page.keyboard.type('disconected')
    const hit = page.locator('#hits a').first()
    expect(await hit.textContent()).toMatch(/disconnected/i)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#disconnected$/)
    expect(await page.locator('h2#disconnected').isVisible()).toBe(true)
    expect(problems).toEqual([])
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([])
  },
  60_000,
)

test.skipIf(missing !== undefined).each([360, 800, 1400])(
  'no page is wider than a window of %i',
  async (width) => {
    const page = await browser!.newPage({ viewport: { width, height: 800 } })
    for (const name of ['index.html', 'guides/context.html', 'reference/cli.html', 'quality.html']) {
      await page.goto(pathToFileURL(join(site, name)).href)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  },
  60_000,
)
