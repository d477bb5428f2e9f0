import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'
import { answering, answeringMuch, hostile, plant, WORD } from './plant-hostile.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

describe.skipIf(missing)('hostile text', () => {
  let desk: AppDesk
  let beacon: Server
  let places: Readonly<Record<string, string>>
  const seen: string[] = []

  beforeAll(async () => {
    beacon = createServer((request, response) => {
      seen.push(request.url!)
      response.setHeader('access-control-allow-origin', '*').end('window.pwned = 1')
    })
    await new Promise<void>((listening) => beacon.listen(0, '127.0.0.1', listening))
    const text = hostile(`http://127.0.0.1:${(beacon.address() as AddressInfo).port}`)
    desk = await openAppDesk({ script: answering(text) })
    places = await plant(desk, text)
  }, 300_000)

  afterAll(async () => {
    await desk?.close()
    beacon?.close()
  })

  const check = async (): Promise<void> => {
    expect(await desk.page.evaluate(() => (window as { pwned?: string }).pwned)).toBeUndefined()
    expect(seen).toEqual([])
    expect(desk.problems()).toEqual([])
    const links = await desk.page.evaluate(() =>
      [...document.querySelectorAll('a[href]')].map((link) => (link as HTMLAnchorElement).protocol),
    )
    expect(links.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
    const foreign = await desk.page.evaluate(
      () =>
        document.querySelectorAll(
          'iframe, base, meta[http-equiv], form[action], object, embed, img:not([src^="data:"], [src^="blob:"], [src^="/"])',
        ).length,
    )
    expect(foreign).toBe(0)
  }

  test.each([
    'home',
    'news',
    'decision',
    'edit',
    'compare',
    'timeline',
    'graph',
    'questions',
    'search',
    'session',
    'notes',
    'about',
    'tree',
    'file',
    'rules',
    'table',
    'tests',
    'story',
    'chats',
    'chat',
    'address: question',
    'address: search',
    'address: filter',
    'address: as of',
    'address: settings',
    'address: case',
    'address: table',
    'address: file',
    'address: chat',
    'address: story',
    'address: document',
    'address: no page',
  ])('shows as text: %s', async (name) => {
    await desk.goto(places[name]!)
    if (!['home', 'timeline', 'graph', 'compare'].includes(name) && !name.startsWith('address: '))
      await desk.page
        .getByText(new RegExp(WORD))
        .or(desk.page.locator(`[value*="${WORD}"]`))
        .first()
        .waitFor()
    await check()
  })

  test('is shown as text in live suggestions, and in the decisions that a text is checked against', async () => {
    await desk.goto('decisions')
    await desk.page.getByRole('combobox').first().fill(`${WORD} everywhere`)
    await desk.page.getByText(new RegExp(WORD)).first().waitFor()
    await check()
    await desk.page.keyboard.press('Control+k')
    await desk.page.keyboard.type(WORD)
    await desk.page.getByRole('option').filter({ hasText: WORD }).first().waitFor()
    await check()
  })

  test('oversized content is shown as far as there is room', async () => {
    desk.model.reply = answeringMuch
    const asked = await desk.run('ask', { question: `How much ${WORD}?` })
    await desk.goto(`ask/${asked['chat']}`)
    await desk.page.getByText(/deep/).first().waitFor()
    await check()
    await desk.page.keyboard.press('Control+k')
    await desk.page.getByRole('dialog').waitFor()
  })

  test('a spreadsheet export runs nothing when opened', async () => {
    await desk.goto(places['chat']!)
    const [file] = await Promise.all([
      desk.page.waitForEvent('download'),
      (async () => {
        await desk.page
          .getByRole('button', { name: /^Download / })
          .first()
          .click()
        await desk.page.getByRole('menuitem', { name: 'CSV' }).click()
      })(),
    ])
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toContain(`"'=HYPERLINK(`)
    expect(text).toMatch(/^<img src=x onerror=window\.pwned=1>,__proto__,constructor,formula\r\n/)
    expect(file.suggestedFilename()).toMatch(/^[\w.-]+\.csv$/)
    await check()
  })
})
