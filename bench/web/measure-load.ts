import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { heapOf } from './heap.ts'

export interface Load {
  /** Milliseconds from the navigation to the first contentful paint. */
  readonly painted: number
  /** Time to the end of the last long task before the page is idle. */
  readonly interactive: number
  /** Sum of all long tasks, over 50 ms each. */
  readonly busy: number
  /** Compressed size of everything loaded, and of what was loaded before the first paint. */
  readonly bytes: number
  readonly early: number
  readonly heap: number
}

interface Wanted {
  readonly url: string
  readonly state?: BrowserContextOptions['storageState']
  /** CPU slowdown factor. */
  readonly slower: number
  readonly runs: number
}

// A page is idle after this many milliseconds without a request or a task.
const STILL = 1_000

/** Loads a page with an empty cache `runs` times. Returns the medians. */
export async function measureLoad(browser: Browser, { url, state, slower, runs }: Wanted): Promise<Load> {
  const loads: Load[] = []
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      ...(state !== undefined && { storageState: state }),
    })
    const page = await context.newPage()
    const sizes: Promise<{ url: string; size: number }>[] = []
    page.on('response', (response) => {
      if (/^(?:document|script|stylesheet|font)$/.test(response.request().resourceType()))
        sizes.push(
          response.body().then(
            (body) => ({ url: response.url(), size: gzipSync(body).length }),
            () => ({ url: response.url(), size: 0 }),
          ),
        )
    })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
    await page.addInitScript(() => {
      const seen = { lastTask: 0, busy: 0 }
      Object.assign(globalThis, { seen })
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) {
          seen.lastTask = startTime + duration
          seen.busy += duration
        }
      }).observe({ type: 'longtask', buffered: true })
    })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await page.waitForTimeout(STILL)
    const { painted, interactive, busy, late } = await page.evaluate(() => {
      const paint = performance.getEntriesByName('first-contentful-paint')[0]!.startTime
      const { lastTask, busy } = (globalThis as unknown as { seen: { lastTask: number; busy: number } }).seen
      const late = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ responseEnd }) => responseEnd > paint)
        .map(({ name }) => name)
      return { painted: paint, interactive: Math.max(paint, lastTask), busy, late }
    })
    const loaded = await Promise.all(sizes)
    const total = (parts: typeof loaded): number => parts.reduce((sum, { size }) => sum + size, 0)
    const early = total(loaded.filter(({ url }) => !late.includes(url)))
    loads.push({ painted, interactive, busy, bytes: total(loaded), early, heap: await heapOf(page) })
    await context.close()
  }
  const median = (figure: keyof Load): number =>
    loads.map((load) => load[figure]).toSorted((a, b) => a - b)[Math.floor(runs / 2)]!
  return {
    painted: median('painted'),
    interactive: median('interactive'),
    busy: median('busy'),
    bytes: median('bytes'),
    early: median('early'),
    heap: median('heap'),
  }
}
