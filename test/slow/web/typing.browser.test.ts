import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../../daily-sample.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'
import { fillDesk, PLACES } from './places-with-fields.ts'
import { fieldsOf, inLanes, slowDown, SPEEDS, TEXT, textOf, typeAtSpeeds, type Place } from './type-in-fields.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const AT_ONCE = 6

const EACH = PLACES.flatMap((place) => SPEEDS.map((speed) => ({ place, speed })))
const TODAY = Map.groupBy(dailySample('typed fields by speed', EACH, 12), ({ place }) => place)

describe.skipIf(missing)('typing', () => {
  let desk: AppDesk
  let filled: (path: string) => string
  beforeAll(async () => {
    desk = await openAppDesk({ script: ['There are 12.', 'Revenue is net of refunds.'] })
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
      const shown = async () => {
        await page.locator('h1').first().waitFor({ state: 'attached' })
        await place.open?.(page)
        return fieldsOf(page)
      }
      try {
        await page.goto(`${desk.url}${desk.project}/${filled(place.path)}`)
        const typed = await typeAtSpeeds(await shown(), place, speeds)
        lost.push(...typed.lost)
        count += typed.names.length
        if (place.keeps !== true) return
        for (const way of ['reload', 'back']) {
          if (way === 'reload') await page.reload()
          else {
            await page.goto(`${desk.url}${desk.project}/news`)
            await page.goBack()
          }
          const again = await shown()
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
})
