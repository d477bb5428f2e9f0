import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'
import { openPart, WEB } from './open-part.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const HEIGHT = 50
const SHOWN = 12

/** Ten thousand rows; counts the rows whose key is read and the rows that are rendered. */
const ENTRY = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { VirtualList } from ${JSON.stringify(join(WEB, 'kit/virtual-list.tsx'))}
globalThis.counts = { keys: 0, rows: 0 }
globalThis.opened = []
const items = Array.from({ length: 10_000 }, (_, at) => ({ id: 'row-' + at }))
createRoot(document.querySelector('#root')).render(
  createElement(VirtualList, {
    label: 'Rows',
    items,
    keyOf: ({ id }) => (counts.keys++, id),
    rowHeight: ${HEIGHT},
    onOpen: ({ id }) => opened.push(id),
    children: ({ id }) => (counts.rows++, createElement('span', {}, id)),
  }),
)`

describe.skipIf(missing)('a list of ten thousand rows', () => {
  let browser: OwnBrowser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 600, height: HEIGHT * SHOWN } })
    await openPart(page, ENTRY)
    await page.getByText('row-0', { exact: true }).waitFor()
  })
  afterAll(() => browser?.close())

  test('scrolling by one row renders that row, and reads no key out of sight', async () => {
    await frame()
    await page.evaluate('Object.assign(counts, { keys: 0, rows: 0 })')
    const steps = 20
    for (let step = 0; step < steps; step++) {
      await page.evaluate(`document.querySelector('[role=listbox]').scrollTop += ${HEIGHT}`)
      await frame()
    }
    const { keys, rows } = await page.evaluate<{ keys: number; rows: number }>('counts')
    // Eight rows above and below the visible ones are rendered as well, so those above come in sight at first.
    expect(rows).toBeLessThanOrEqual(steps + 8)
    expect(keys).toBeLessThan(steps * 200)
  })

  test('a click opens its row', async () => {
    await page.evaluate(`document.querySelector('[role=listbox]').scrollTop = ${5_000 * HEIGHT}`)
    await page.getByText('row-5001', { exact: true }).click()
    expect(await page.evaluate('opened')).toEqual(['row-5001'])
  })

  const frame = (): Promise<unknown> =>
    page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
})
