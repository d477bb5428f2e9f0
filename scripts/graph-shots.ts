/**
 * Draws generated records of 9, 300 and 3,000 decisions in Chromium and takes screenshots of every view, in both themes
 * and at phone width; measures load time and panning smoothness. `node scripts/graph-shots.ts [folder] [300 | page.html
 * …]`: other sizes, or existing pages.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openBundledEmbedder } from '../src/app/bundled-model.ts'
import { embeddingText } from '../src/record/domain/decision/decision-texts.ts'
import { buildGraph } from '../src/record/domain/graph/graph.ts'
import { graphPage } from '../src/record/domain/graph/page.ts'
import { graphSource } from '../test/sample-record.ts'
import { launchChromium } from '../test/slow/chromium.ts'
import { variedDecisions } from '../test/varied-record.ts'
import { bundleGraphViewer } from './graph-viewer.ts'

const VIEWS = ['graph', 'lineage', 'timeline', 'browse']
const SCREENS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

const [folder = join(tmpdir(), 'graph-shots'), ...given] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const counts = given.filter((word) => /^\d+$/.test(word)).map(Number)
const pages = [
  ...given.filter((word) => word.endsWith('.html')).map((path) => resolve(path)),
  ...(await generatedPages(given.length === 0 ? [9, 300, 3000] : counts)),
]
const browser = await launchChromium()
for (const path of pages) {
  const name = basename(path, '.html')
  for (const screen of SCREENS) await shoot(browser, path, name, screen)
  console.log(`${name}: ${Math.round(statSync(path).size / 1024)} KB; ${await measured(browser, path)}`)
}
await browser.close()
console.log(`Pictures are in ${folder}`)

async function generatedPages(counts: readonly number[]): Promise<string[]> {
  if (counts.length === 0) return []
  const viewer = await bundleGraphViewer()
  const embedder = (await openBundledEmbedder())!
  const paths: string[] = []
  for (const count of counts) {
    const source = graphSource(variedDecisions(count), '- [Q1] Does D7 still hold?\n')
    const texts = [...source.texts]
    const vectors = await embedder.embed(
      texts.map(([, decision]) => embeddingText(decision)),
      'document',
    )
    const withMeaning = { ...source, vectors: new Map(texts.map(([stem], i) => [stem, vectors[i]!])) }
    const path = join(folder, `${count}.html`)
    writeFileSync(path, graphPage(buildGraph(withMeaning, { bodies: true }), viewer))
    paths.push(path)
  }
  await embedder.close()
  return paths
}

async function shoot(browser: Browser, path: string, name: string, screen: (typeof SCREENS)[number]): Promise<void> {
  const context = await browser.newContext({ ...screen, hasTouch: screen.viewport.width < 500 })
  const page = await context.newPage()
  const take = async (what: string): Promise<void> => {
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(folder, `${name}-${screen.name}-${what}.png`) })
  }
  for (const view of VIEWS) {
    await page.goto(`${pathToFileURL(path).href}#${view}`)
    await page.reload()
    await take(view)
  }
  await page.goto(`${pathToFileURL(path).href}#graph`)
  await page.reload()
  const first = await page.locator('select').inputValue()
  for (const by of screen.colorScheme === 'dark'
    ? []
    : await page.locator('select option').evaluateAll((all) => all.map((each) => each.getAttribute('value')!))) {
    await page.locator('select').selectOption(by)
    await take(`by-${by}`)
  }
  await page.locator('select').selectOption(first)
  for (const zoom of ['closer', 'closest']) {
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await take(zoom)
  }
  await page.getByRole('button', { name: 'Fit' }).click()
  await page.getByRole('combobox', { name: /^Search/ }).fill('re')
  await take('search')
  await page.keyboard.press('Enter')
  await take('panel')
  await context.close()
}

async function measured(browser: Browser, path: string): Promise<string> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(pathToFileURL(path).href)
  await page.waitForTimeout(500)
  const paint = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
  const frames = await framesWhilePanning(page)
  await context.close()
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (part: number): string => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(1)
  return `first paint ${Math.round(paint)} ms; ${frames.length} frames while panning, median ${at(0.5)} ms, 95 % ${at(0.95)} ms`
}

async function framesWhilePanning(page: Page): Promise<number[]> {
  await page.evaluate(`
    window.frames_ = []
    let last = performance.now()
    const tick = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(tick) }
    requestAnimationFrame(tick)`)
  await page.mouse.move(700, 400)
  await page.mouse.down()
  for (let i = 0; i < 90; i++) await page.mouse.move(700 + 250 * Math.sin(i / 9), 400 + 120 * Math.cos(i / 7))
  await page.mouse.up()
  return page.evaluate<number[]>('window.frames_.slice(1)')
}
