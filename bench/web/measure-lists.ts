import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAppAt, openAppDesk, runAt } from '../../test/slow/web/app-desk.ts'
import { openCorpus } from '../decision-corpus.ts'
import { heapOf } from './heap.ts'
import { measureScroll } from './measure-scroll.ts'

export interface ListFigures {
  /** Time from the navigation to the first rows of the list. */
  readonly firstRows: number
  /** The page's first request, sent alone. */
  readonly direct: number
  /** 95th percentile of the time between frames, in milliseconds. */
  readonly frame: number
  readonly toEnd: number
  readonly heap: number
  /** Time from the navigation to the drawn graph. */
  readonly graph: number
  /** Its data, requested alone. */
  readonly graphData: number
}

/** Opens the decision list of a record of that size, scrolls for three seconds, and stays at the end of the list. */
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
      const frame = await measureScroll(list)
      const atEnd = performance.now()
      await list.press('End')
      await list.getByText('D001').waitFor()
      const toEnd = performance.now() - atEnd
      const heap = await heapOf(desk.page)
      const asking = performance.now()
      const data = desk.page.waitForResponse((response) => response.url().includes('/v1/graph'))
      await desk.page.goto(`${desk.url}${desk.project}/decisions?view=graph`)
      await desk.page.locator('.view-graph .name').first().waitFor()
      const graph = performance.now() - asking
      const timing = (await data).request().timing()
      const graphData = timing.responseEnd - timing.requestStart
      return { firstRows, direct: responseEnd - requestStart, frame, toEnd, heap, graph, graphData }
    } finally {
      await desk.close()
    }
  } finally {
    rmSync(outside, { recursive: true, force: true })
  }
}

/** Runs a statement that returns that many rows on the SQL page, and scrolls its rows. */
export async function measureGrid(rows: number): Promise<Pick<ListFigures, 'firstRows' | 'direct' | 'frame'>> {
  const desk = await openAppDesk({ isOffline: true })
  try {
    const sql = `SELECT o.id, o.status, 'row ' || row_number() OVER (ORDER BY o.id, p.id) AS name FROM orders o CROSS JOIN products p ORDER BY o.id, p.id LIMIT ${rows}`
    await desk.goto(`context/sql?sql=${encodeURIComponent(sql)}`)
    await desk.page.locator('button:enabled', { hasText: 'Run' }).waitFor()
    const started = performance.now()
    const asked = desk.page.waitForResponse((response) => response.url().includes('/v1/run_sql'))
    await desk.page.locator('button:enabled', { hasText: 'Run' }).click()
    const grid = desk.page.getByRole('grid', { name: 'Rows of the result' })
    await grid.getByText('row 1', { exact: true }).waitFor()
    const firstRows = performance.now() - started
    const { requestStart, responseEnd } = (await asked).request().timing()
    return { firstRows, direct: responseEnd - requestStart, frame: await measureScroll(grid) }
  } finally {
    await desk.close()
  }
}
