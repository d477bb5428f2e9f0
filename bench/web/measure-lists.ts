import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAppAt, runAt } from '../../test/slow/web/app-desk.ts'
import { openCorpus } from '../decision-corpus.ts'
import { heapOf } from './heap.ts'

export interface ListFigures {
  /** Time from the navigation to the first rows of the list. */
  readonly firstRows: number
  /** The page's first request, sent alone. */
  readonly direct: number
  /** 95th percentile of the time between frames, in milliseconds. */
  readonly frame: number
  readonly toEnd: number
  readonly heap: number
}

/** Opens the decision list of a record of that size, scrolls for three seconds, and stays at its end. */
export async function measureLists(size: number): Promise<ListFigures> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'ken-web-bench-')))
  const [folder, home] = [join(outside, 'repository'), join(outside, 'home')]
  mkdirSync(folder)
  mkdirSync(home)
  const environment = { PATH: process.env['PATH'], HOME: home, KEN_HOME: join(home, '.ken'), KEN_TELEMETRY: '0' }
  try {
    const { store } = (await runAt(folder, environment, 'init', { name: 'bench' })) as { store: string }
    const corpus = openCorpus(size)
    for (let num = 2; num <= size; num++) {
      const { name, text } = corpus.decision(num)
      writeFileSync(join(store, 'decisions', name), text)
    }
    // The first read builds the record's index, which is not the cost of a page.
    await runAt(folder, environment, 'list_decisions', { limit: 1 })
    const desk = await openAppAt({ folder, home, environment })
    try {
      const list = desk.page.getByRole('listbox', { name: 'Decisions' })
      await desk.goto('decisions')
      const started = performance.now()
      const asked = desk.page.waitForResponse((response) => response.url().includes('/v1/list_decisions'))
      await desk.page.goto(`${desk.url}${desk.project}/decisions`)
      await list.getByRole('option').first().waitFor()
      const firstRows = performance.now() - started
      const { requestStart, responseEnd } = (await asked).request().timing()
      const frames = await list.evaluate(async (element) => {
        const times: number[] = []
        const until = performance.now() + 3_000
        for (let before = performance.now(), now = before; now < until; before = now) {
          now = await new Promise<number>(requestAnimationFrame)
          times.push(now - before)
          element.scrollTop += 120
        }
        return times
      })
      const atEnd = performance.now()
      await list.press('End')
      await list.getByText('D001').waitFor()
      return {
        firstRows,
        direct: responseEnd - requestStart,
        frame: frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!,
        toEnd: performance.now() - atEnd,
        heap: await heapOf(desk.page),
      }
    } finally {
      await desk.close()
    }
  } finally {
    rmSync(outside, { recursive: true, force: true })
  }
}
