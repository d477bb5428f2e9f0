/**
 * The web app in a real Chromium, each figure beside a limit or a peer of the same run: `npm run bench:web`. `--
 * --sizes 10000,100000 --answers 200 --runs 5`. The peer of Home is the same page as plain HTML and CSS, or with `--peer
 * <folder>` another program's built page, e.g. `node_modules/@modelcontextprotocol/inspector/client/dist`.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { launchChromium } from '../test/slow/chromium.ts'
import { openAppDesk } from '../test/slow/web/app-desk.ts'
import { measureAnswers } from './web/measure-answers.ts'
import { measureBarePage } from './web/measure-bare-page.ts'
import { measureGrid, measureLists } from './web/measure-lists.ts'
import { measureLoad } from './web/measure-load.ts'
import { measureTyping } from './web/measure-typing.ts'
import { servePeer, servePlainCopy } from './web/serve-peer.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    answers: { type: 'string', default: '200' },
    runs: { type: 'string', default: '5' },
    peer: { type: 'string' },
    only: { type: 'string', default: 'load,typing,answers,lists,grid' },
  },
})
const parts = new Set(values.only.split(','))
const runs = Number(values.runs)
console.log(`Load of the machine ${loadavg()[0]!.toFixed(1)}; milliseconds, medians of ${runs} unless said\n`)
console.log('| | measured | beside |\n|---|---|---|')

if (parts.has('load')) {
  const desk = await openAppDesk()
  const browser = await launchChromium()
  const context = await desk.page.context().storageState()
  const home = { url: `${desk.url}${desk.project}`, state: context }
  const peer = values.peer === undefined ? await servePlainCopy(browser, home) : await servePeer(values.peer)
  try {
    for (const slower of [1, 4]) {
      const own = await measureLoad(browser, { ...home, slower, runs })
      const other = await measureLoad(browser, { url: peer.url, slower, runs })
      const where = slower === 1 ? '' : `, processor ${slower} times slower`
      row(`Home, first contentful paint${where}`, ms(own.painted), `peer ${ms(other.painted)}`)
      row(`Home, interactive${where}`, ms(own.interactive), `peer ${ms(other.interactive)}`)
      row(`Home, long tasks${where}`, ms(own.busy), `peer ${ms(other.busy)}`)
      if (slower === 1) {
        row('Home, everything it loads, gzip', kb(own.bytes), `limit 350 KB; peer ${kb(other.bytes)}`)
        row('Home, loaded before the first paint, gzip', kb(own.early), `peer ${kb(other.early)}`)
        row('Home, memory of the tab', mb(own.heap), `peer ${mb(other.heap)}`)
      }
    }
  } finally {
    await browser.close()
    await desk.close()
    peer.close()
  }
}

if (parts.has('typing')) {
  const desk = await openAppDesk()
  for (const { what, p50, p95, direct } of await measureTyping(desk))
    row(`${what}, from the key to the hits`, `p50 ${ms(p50)}, p95 ${ms(p95)}`, `the operation alone p50 ${ms(direct)}`)
  await desk.close()
}

if (parts.has('answers')) {
  const count = Number(values.answers)
  const { first, last, at } = await measureAnswers(count)
  row(`memory of the tab after ${at} streamed answers`, mb(first), '')
  row(`memory of the tab after ${count} streamed answers`, mb(last), `${(last / first).toFixed(2)} times that of ${at}`)
}

if (parts.has('lists'))
  for (const size of values.sizes.split(',').map(Number)) {
    const list = await measureLists(size)
    const bare = await measureBarePage(size, 56)
    const name = `${size.toLocaleString('en')} decisions`
    row(`${name}, first rows`, ms(list.firstRows), `the operation alone ${ms(list.direct)}; ${besideBare(bare)}`)
    row(`${name}, frames while scrolling`, `p95 ${list.frame.toFixed(1)}`, `limit 16.7; ${framesBeside(bare)}`)
    row(`${name}, from the top to the end`, ms(list.toEnd), '')
    row(`${name}, memory of the tab`, mb(list.heap), '')
    row(`${name}, the graph drawn`, ms(list.graph), `its data alone ${ms(list.graphData)}`)
  }

if (parts.has('grid')) {
  const grid = await measureGrid(100_000)
  const bare = await measureBarePage(100_000, 30)
  const name = '100,000 rows of a statement'
  row(`${name}, first rows`, ms(grid.firstRows), `the operation alone ${ms(grid.direct)}; ${besideBare(bare)}`)
  row(`${name}, frames while scrolling`, `p95 ${grid.frame.toFixed(1)}`, `limit 16.7; ${framesBeside(bare)}`)
}

function row(what: string, measured: string, other: string): void {
  console.log(`| ${what} | ${measured} | ${other} |`)
}

function besideBare({ firstRows }: { firstRows: number }): string {
  return `a page of bare rows ${ms(firstRows)}`
}

function framesBeside({ frame }: { frame: number }): string {
  return `a page of bare rows p95 ${frame.toFixed(1)}`
}

function ms(value: number): string {
  return String(Math.round(value))
}

function kb(value: number): string {
  return `${Math.round(value / 1024)} KB`
}

function mb(value: number): string {
  return `${(value / 2 ** 20).toFixed(1)} MB`
}
