import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../../daily-sample.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

/** Milliseconds from key to key: at once, and eleven speeds around every pause after which a field acts. */
const SPEEDS = [0, ...Array.from({ length: 11 }, (_, at) => 60 + 24 * at)]
// A trailing space, which would be lost if the trimmed text came back late.
const TEXT = 'use a redis cache '
// Longer than every pause after which a field searches, checks or changes the URL.
const STAYS_MS = 700
const AT_ONCE = 6

interface Place {
  readonly path: string
  /** Shows the fields. */
  readonly open?: (page: Page) => Promise<unknown>
  /** Fields to leave out by name: typed elsewhere in this list, or replacing the fields below. */
  readonly without?: RegExp
  /** Fields that may contain a secret, by name. */
  readonly forgets?: RegExp
  /** The fields are drafts: their text is kept after a reload, and after leaving the page and returning. */
  readonly keeps?: true
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const press = (key: string) => async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}
const menu = (name: RegExp, item: string) => async (page: Page) => {
  await click(name)(page)
  await page.getByRole('menuitem', { name: item }).click()
}
// Drafts are shared by the tabs of a browser.
const OF_EACH_CHAT = /^(Question|Search chats)$/

/** Every place with a field. `{chat}`, `{draft}` and `{table}` are filled in from the desk. */
const PLACES: readonly Place[] = [
  { path: 'news', open: press('ControlOrMeta+k') },
  { path: 'inbox?draft={draft}', open: click(/^Edit/), keeps: true },
  { path: 'ask', keeps: true },
  { path: 'ask/{chat}', open: click('Edit and ask again'), keeps: true },
  { path: 'ask/{chat}', open: click('A bad answer'), without: OF_EACH_CHAT, keeps: true },
  { path: 'ask/{chat}', open: menu(/^More for this chat/, 'Rename'), without: OF_EACH_CHAT },
  { path: 'decisions', open: click('Filter') },
  { path: 'decisions/new', keeps: true },
  { path: 'decisions/24/edit', keeps: true },
  { path: 'decisions?view=questions', keeps: true },
  { path: 'decisions?view=questions&question=Q1' },
  { path: 'memory' },
  { path: 'memory?q=slots', open: (page) => page.getByRole('article').getByRole('searchbox').waitFor() },
  { path: 'memory/notes', keeps: true },
  { path: 'memory/about-me', keeps: true },
  { path: 'memory/about-me', open: click('Edit'), without: /^Rule/, keeps: true },
  { path: 'context/table/{table}' },
  { path: 'context/sql', keeps: true },
  { path: 'context/sources', open: click('Add a source') },
  { path: 'context/sources?add=postgres', without: /^Kind$/, forgets: /^(url|password|token)/, keeps: true },
  { path: 'context/sources?add=github', without: /^Kind$/, forgets: /^(url|password|token)/, keeps: true },
  { path: 'context/config', keeps: true },
  { path: 'context/rules', keeps: true },
  { path: 'stories' },
  { path: 'stories/revenue?view=edit', keeps: true },
  { path: 'stories/revenue', open: menu(/^More/, 'Schedule'), keeps: true },
  { path: 'tests' },
  { path: 'tests', open: press('r'), keeps: true },
  { path: 'tests?record=last', keeps: true },
  { path: 'settings/models' },
  { path: 'settings/models', open: click('Address, prices and limits') },
  { path: 'settings/collections' },
  { path: 'settings/all', without: /^(?!Search)/ },
]

const EACH = PLACES.flatMap((place) => SPEEDS.map((speed) => ({ place, speed })))
const TODAY = Map.groupBy(dailySample('typed fields by speed', EACH, 16), ({ place }) => place)

const FIELDS =
  ':is(input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=hidden], [type=number]), textarea, [contenteditable=true]):not([aria-hidden=true], [disabled], [readonly])'

/** The fields of an open dialog, or otherwise of the page, once everything is loaded. */
async function fieldsOf(page: Page): Promise<Locator> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const dialog = page.getByRole('dialog')
  const area = (await dialog.count()) > 0 ? dialog : page.getByRole('main')
  const fields = area.locator(FIELDS).filter({ visible: true })
  await fields.first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return fields
}

interface Shown {
  readonly name: string
  readonly text: string
}

/** Names and texts of fields. An editor shows a space at the end as one that does not break. */
const read = (fields: Locator): Promise<Shown[]> =>
  fields.evaluateAll((all) =>
    all.map((one: any) => ({
      name: String(one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.placeholder),
      text: String(one.value ?? one.innerText)
        .replaceAll('\u00a0', ' ')
        .replace(/\n$/, ''),
    })),
  )

describe.skipIf(missing)('typing', () => {
  let desk: AppDesk
  let filled: (path: string) => string
  beforeAll(async () => {
    desk = await openAppDesk({ script: ['There are 12.', 'Revenue is net of refunds.'] })
    const { chat } = await desk.run('ask', { question: 'How many orders?' })
    await desk.run('flag_question', { question: 'May the cache hold addresses?' })
    await desk.run('memory_write', { content: 'The kettle is red.', target: 'memory', scope: 'global' })
    await desk.run('memories_add', { content: 'Always show weights in grams.' })
    const other = await desk.run('ask', { question: 'How much revenue?' })
    const { drafts } = await desk.run('feedback', { message: other['chat'], vote: 'down', reason: 'Revenue is net.' })
    const rule = drafts.find(({ kind }: { kind: string }) => kind === 'rule')
    const { tables } = await desk.run('list_tables', { limit: 1 })
    filled = (path) =>
      path
        .replace('{chat}', chat)
        .replace('{draft}', rule.id)
        .replace('{table}', `${tables[0].database}/${tables[0].table}`)
  })
  afterAll(() => desk?.close())

  test('loses no character in any field at any speed, and keeps drafts over a reload and going back', async () => {
    const lost: string[] = []
    const names = new Set<string>()
    let typed = 0
    const work = [...TODAY]
    const tryPlace = async (page: Page, place: Place, speeds: readonly number[]): Promise<void> => {
      const shown = async (): Promise<Locator> => {
        await page.locator('h1').first().waitFor({ state: 'attached' })
        await place.open?.(page)
        return fieldsOf(page)
      }
      await page.goto(`${desk.url}${desk.project}/${filled(place.path)}`)
      const fields = await shown()
      const isIn = ({ name }: Shown): boolean => place.without?.test(name) !== true
      const found = (await read(fields)).filter(isIn)
      const textOf = async (among: Locator, { name }: Shown): Promise<string | undefined> =>
        (await read(among)).find((one) => one.name === name)?.text
      // A search at the top may hide the fields below it.
      for (const one of found.toReversed()) {
        const { name } = one
        names.add(`${place.path}: ${name}`)
        for (const speed of speeds) {
          await fields.nth((await read(fields)).findIndex((other) => other.name === name)).focus()
          await page.keyboard.press('ControlOrMeta+a')
          await page.keyboard.press('Delete')
          await page.keyboard.type(TEXT, { delay: speed })
          typed += TEXT.length
          await page.waitForTimeout(STAYS_MS)
          const text = await textOf(fields, one)
          if (text !== TEXT) lost.push(`${place.path}, ${name}, ${speed} ms: ${JSON.stringify(text)}`)
        }
      }
      if (place.keeps !== true) return
      for (const way of ['reload', 'back']) {
        if (way === 'reload') await page.reload()
        else {
          await page.goto(`${desk.url}${desk.project}/news`)
          await page.goBack()
        }
        const again = await shown()
        for (const one of found.filter(({ name }) => place.forgets?.test(name) !== true)) {
          const text = async () => (await textOf(again, one))?.trim()
          // An editor loads after its page.
          await expect.poll(text, { message: `${one.name} after ${way}`, timeout: 10_000 }).toBe(TEXT.trim())
        }
      }
    }
    const tryNext = async (): Promise<void> => {
      for (let next = work.pop(); next !== undefined; next = work.pop()) {
        const [place, cases] = next
        const page = await desk.page.context().newPage()
        page.setDefaultTimeout(30_000)
        const speeds = cases.map(({ speed }) => speed)
        await tryPlace(page, place, speeds).catch((fault: Error) => lost.push(`${place.path}: ${fault.message}`))
        await page.close()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, tryNext))
    console.log(`${names.size} fields, ${typed} characters, ${lost.length} lost texts`)
    expect(lost).toEqual([])
  }, 1_200_000)
})
