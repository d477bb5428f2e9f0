import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../../daily-sample.ts'
import { freePort } from '../../postgres/server.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'
import { fillDesk, PLACES } from './places-with-fields.ts'
import {
  fieldsOf,
  inLanes,
  slowDown,
  SPEEDS,
  TEXT,
  textOf,
  typeAll,
  typeAtSpeeds,
  type Place,
} from './type-in-fields.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const AT_ONCE = 6
const DRAFTS = PLACES.filter(({ keeps }) => keeps === true)

const EACH = PLACES.flatMap((place) => SPEEDS.map((speed) => ({ place, speed })))
const TODAY = Map.groupBy(dailySample('typed fields by speed', EACH, 12), ({ place }) => place)

describe.skipIf(missing)('typing', () => {
  let desk: AppDesk
  let filled: (path: string) => string
  beforeAll(async () => {
    desk = await openAppDesk({ script: ['There are 12.', 'Revenue is net of refunds.'], port: await freePort() })
    filled = await fillDesk(desk)
  })
  afterAll(() => desk?.close())

  test('loses no character in any field at any speed with a slow server, and keeps drafts over a reload and going back', async () => {
    const lost: string[] = []
    let count = 0
    const tryPlace = async (place: Place, speeds: readonly number[]): Promise<void> => {
      const page = await desk.page.context().newPage()
      page.setDefaultTimeout(60_000)
      await slowDown(page)
      try {
        await page.goto(`${desk.url}${desk.project}/${filled(place.path)}`)
        const typed = await typeAtSpeeds(await shown(page, place), place, speeds)
        lost.push(...typed.lost)
        count += typed.names.length
        if (place.keeps !== true) return
        for (const way of ['reload', 'back']) {
          if (way === 'reload') await page.reload()
          else {
            await page.goto(`${desk.url}${desk.project}/news`)
            await page.goBack()
          }
          const again = await shown(page, place)
          for (const name of typed.names.filter((one) => place.forgets?.test(one) !== true)) {
            const text = async () => (await textOf(again, name))?.trim()
            // An editor loads after its page.
            await expect.poll(text, { message: `${name} after ${way}`, timeout: 10_000 }).toBe(TEXT.trim())
          }
        }
      } catch (fault) {
        lost.push(`${place.path}: ${(fault as Error).message}`)
      } finally {
        await page.close()
      }
    }
    await inLanes(TODAY, AT_ONCE, ([place, cases]) =>
      tryPlace(
        place,
        cases.map(({ speed }) => speed),
      ),
    )
    console.log(`${count} fields of ${TODAY.size} places, ${lost.length} lost texts`)
    expect(lost).toEqual([])
  }, 3_600_000)

  interface Tab {
    readonly page: Page
    readonly place: Place
    readonly text: string
    readonly names: readonly string[]
  }

  async function shown(page: Page, { open }: Place) {
    await page.locator('h1').first().waitFor({ state: 'attached' })
    await open?.(page)
    return fieldsOf(page)
  }

  async function typeInTab(place: Place, text: string): Promise<Tab> {
    const page = await desk.page.context().newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${desk.url}${desk.project}/${filled(place.path)}`)
    const names = await typeAll(await shown(page, place), place, text)
    return { page, place, text, names }
  }

  /** Reloads the tab and closes it; returns a line for each text that is not there any more. */
  async function lostAfterReload({ page, place, text, names }: Tab): Promise<string[]> {
    try {
      await page.reload()
      const fields = await shown(page, place)
      const lost: string[] = []
      for (const name of names) {
        const read = async () => (await textOf(fields, name))?.trim()
        // An editor loads after its page.
        await expect
          .poll(read, { timeout: 10_000 })
          .toBe(text)
          .catch(async () => lost.push(`${place.path}, ${name}: ${JSON.stringify(await read())}`))
      }
      return lost
    } finally {
      await page.close()
    }
  }

  test('in two tabs on the same field keeps each tab’s text', { timeout: 600_000 }, async () => {
    for (const place of dailySample('fields in two tabs', DRAFTS, 5)) {
      const tabs = [await typeInTab(place, 'use-redis'), await typeInTab(place, 'use-kafka')]
      for (const tab of tabs) expect(await lostAfterReload(tab)).toEqual([])
    }
  })

  test('is kept while Ken is stopped and started again', { timeout: 600_000 }, async () => {
    const tabs: Tab[] = []
    for (const place of dailySample('fields of a stopped Ken', DRAFTS, 5)) tabs.push(await typeInTab(place, 'use-nats'))
    await desk.stop()
    await tabs[0]!.page.getByRole('alertdialog', { name: 'Can’t reach Ken' }).waitFor()
    await desk.startAgain()
    for (const tab of tabs) expect(await lostAfterReload(tab)).toEqual([])
  })

  test('is kept when saving fails, and the next try saves it', { timeout: 120_000 }, async () => {
    const place: Place = { path: 'context/rules', without: /^Find/ }
    const { page, names } = await typeInTab(place, 'Round-to-cents.')
    const rules = () => readFileSync(join(desk.folder, 'RULES.md'), 'utf8').trim()
    const before = rules()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ }).first().waitFor()
    expect(rules()).toBe(before)
    await page.unroute('**/v1/**')
    await page.reload()
    const fields = await shown(page, place)
    await expect.poll(async () => (await textOf(fields, names[0]!))?.trim()).toBe('Round-to-cents.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(rules).toBe('Round-to-cents.')
    await page.close()
  })
})
