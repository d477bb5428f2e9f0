import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumMissing, openBrowser } from './slow/chromium.ts'
import { openStoryDesk, type StoryDesk } from './stories/story-desk.ts'

let desk: StoryDesk

beforeAll(async () => {
  desk = await openStoryDesk()
  desk.exec(
    'CREATE TABLE customers (id INTEGER, name TEXT, note TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
     INSERT INTO customers SELECT i, '<b>Customer</b> ' || i, CASE WHEN i % 3 = 0 THEN NULL ELSE 'A note with <script>alert(1)</script> in it' END FROM n`,
  )
  await desk.run('sync_sources')
  const [month, all] = [
    await desk.query('SELECT month, revenue, orders FROM sales'),
    await desk.query('SELECT id, name, note FROM customers'),
  ]
  await desk.inTurn('story', {
    action: 'create',
    slug: 'hostile',
    title: 'Sales & <script>alert(1)</script>',
    text: [
      'Żółć, Ελληνικά and **bold** [click](javascript:alert(1)) <img src="https://e.example/x.png" onerror="alert(1)">',
      '![pixel](https://e.example/pixel.png)',
      '<grid cols="2">',
      `<chart query="${month}" kind="bar" x="month" y="orders" title="</svg><script>alert(1)</script>"/>`,
      `<chart query="${month}" kind="line" x="month" y="revenue"/>`,
      '</grid>',
      '1. one\n   - inner\n2. two\n\n> quoted\n\n```sql\nSELECT 1\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |',
      `<table query="${all}" title="Customers" limit="120"/>`,
    ].join('\n\n'),
  })
})

afterAll(() => desk?.close())

test.skipIf(chromiumMissing() !== undefined)(
  'the page makes no network requests, runs nothing, and follows both colour schemes',
  async () => {
    const { path } = await desk.run('story_export', { slug: 'hostile' })
    const browser = await openBrowser()
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme })
        const [asked, said]: [string[], string[]] = [[], []]
        page.on('request', (request) => void asked.push(request.url()))
        page.on('dialog', (dialog) => void said.push(dialog.message()))
        page.on('console', (message) => void said.push(message.text()))
        await page.goto(pathToFileURL(path).href)
        expect(asked).toEqual([pathToFileURL(path).href])
        expect(said).toEqual([])
        expect(await page.locator('script, img, iframe, a[href^="javascript"]').count()).toBe(0)
        expect(await page.locator('svg:visible').count()).toBe(2)
        expect(await page.locator('tbody tr').count()).toBe(121)
        expect(await page.getByText('<script>alert(1)</script>').count()).toBeGreaterThan(0)
        const width = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        expect(width).toBe(true)
        await page.close()
      }
    } finally {
      await browser.close()
    }
  },
)

test('the PDF has pages, page numbers, and searchable text', async () => {
  const { path, bytes } = await desk.run('story_export', { slug: 'hostile', as: 'pdf' })
  const pdf = readFileSync(path)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(statSync(path).size).toBe(bytes)
  const pages = Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1])
  expect(pages).toBeGreaterThan(2)
  // The PDF embeds the glyphs in use, not whole fonts.
  expect(bytes).toBeLessThan(400_000)
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([^]*?)endstream/g)].length
  expect(streams).toBeGreaterThan(pages)
  expect(pdf.toString('latin1')).not.toMatch(/\/JavaScript|\/JS |\/Launch|\/URI \(javascript/)
  const text = textOf(path)
  if (text === undefined) return
  expect(text).toContain('Customers')
  expect(text).toContain('Żółć, Ελληνικά')
  expect(text).toMatch(new RegExp(`1 ?/ ?${pages}`))
  expect(text.match(/^\f? *id +name +note/gm)?.length).toBeGreaterThan(1)
})

/** Extracts the text with poppler, if it is installed. */
function textOf(path: string): string | undefined {
  try {
    return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return undefined
  }
}

test('a very long story is exported as a PDF', async () => {
  const text = `# Long\n\n${'word '.repeat(20)}\n\n- item\n\n`.repeat(2_000)
  await desk.inTurn('story', { action: 'create', slug: 'long', title: 'Long', text })
  const { bytes } = await desk.run('story_export', { slug: 'long', as: 'pdf', output: join(desk.root, 'long.pdf') })
  expect(bytes).toBeGreaterThan(10_000)
})
