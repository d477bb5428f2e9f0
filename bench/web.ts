/**
 * The web app in a real Chromium, each figure beside a limit or a peer of the same run: `npm run bench:web`. `--
 * --sizes 10000,100000 --answers 200 --runs 5`; `--peer <folder>` measures another program's built page, e.g.
 * `node_modules/@modelcontextprotocol/inspector/client/dist`, beside Home.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { launchChromium } from '../test/slow/chromium.ts'
import { openAppDesk } from '../test/slow/web/app-desk.ts'
import { measureAnswers } from './web/measure-answers.ts'
import { measureLists } from './web/measure-lists.ts'
import { measureLoad, type Load } from './web/measure-load.ts'
import { measureTyping } from './web/measure-typing.ts'
import { servePeer } from './web/serve-peer.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    answers: { type: 'string', default: '200' },
    runs: { type: 'string', default: '5' },
    peer: { type: 'string' },
    only: { type: 'string', default: 'load,typing,answers,lists' },
  },
})
const parts = new Set(values.only.split(','))
const runs = Number(values.runs)
console.log(`Load of the machine ${loadavg()[0]!.toFixed(1)}; milliseconds, medians of ${runs} unless said\n`)
console.log('| | measured | beside |\n|---|---|---|')

if (parts.has('load')) {
  const desk = await openAppDesk()
  const browser = await launchChromium()
  const peer = values.peer === undefined ? undefined : await servePeer(values.peer)
  try {
    const context = await desk.page.context().storageState()
    for (const slower of [1, 4]) {
      const home = await measureLoad(browser, { url: `${desk.url}${desk.project}`, state: context, slower, runs })
      const other = peer && (await measureLoad(browser, { url: peer.url, slower, runs }))
      const where = slower === 1 ? '' : `, processor ${slower} times slower`
      row(`Home, first contentful paint${where}`, ms(home.painted), beside(other, 'painted'))
      row(`Home, interactive${where}`, ms(home.interactive), beside(other, 'interactive'))
      if (slower === 1) {
        row(
          'Home, everything it loads, gzip',
          kb(home.bytes),
          `limit 350 KB${other ? `; peer ${kb(other.bytes)}` : ''}`,
        )
        row('Home, memory of the tab', mb(home.heap), other ? `peer ${mb(other.heap)}` : '')
      }
    }
  } finally {
    await browser.close()
    await desk.close()
    peer?.close()
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
    const name = `${size.toLocaleString('en')} decisions`
    row(`${name}, first rows`, ms(list.firstRows), `the operation alone ${ms(list.direct)}`)
    row(`${name}, frames while scrolling`, `p95 ${list.frame.toFixed(1)}`, 'limit 16.7, 60 a second')
    row(`${name}, from the top to the end`, ms(list.toEnd), '')
    row(`${name}, memory of the tab`, mb(list.heap), '')
  }

function row(what: string, measured: string, other: string): void {
  console.log(`| ${what} | ${measured} | ${other} |`)
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

function beside(other: Load | undefined, figure: 'painted' | 'interactive'): string {
  return other === undefined ? '' : `peer ${ms(other[figure])}`
}
