import { setTimeout as wait } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'

/** Milliseconds from key to key: eleven speeds around every pause after which a field acts. */
export const SPEEDS = Array.from({ length: 11 }, (_, at) => 30 * at)
// A trailing space, which would be lost if the trimmed text came back late.
export const TEXT = 'use a redis cache '
// A field for an address drops spaces.
const ADDRESS = 'ada@acme.example'
/** Time until every operation is answered. */
const SLOW_MS = 2_000
// Longer than every pause after which a field searches, checks or changes the URL, and the answer to it.
const STAYS_MS = SLOW_MS + 700

export interface Place {
  readonly path: string
  /** Shows the fields. */
  readonly open?: (page: Page) => Promise<unknown>
  /** Fields to leave out by name: typed elsewhere in this list, or replacing the fields below. */
  readonly without?: RegExp
  /** Fields that are not kept, by name: they may contain a secret, or are set by the URL. */
  readonly forgets?: RegExp
  /** The fields are drafts: their text is kept after a reload, and after leaving the page and returning. */
  readonly keeps?: true
}

/** An operation's answer takes long, as over a bad network; the first load too. */
export async function slowDown(page: Page): Promise<void> {
  await page.route('**/v1/**', async (route) => {
    await wait(SLOW_MS)
    // The page may have given up the request.
    await route.continue().catch(() => undefined)
  })
}

const FIELDS =
  ':is(input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=hidden], [type=number]), textarea, [contenteditable=true]):not([aria-hidden=true], [disabled], [readonly])'

/** The fields of an open dialog, or otherwise of the page, once everything is loaded. */
export async function fieldsOf(page: Page): Promise<Locator> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const dialog = page.getByRole('dialog')
  const area = (await dialog.count()) > 0 ? dialog : page.getByRole('main')
  const fields = area.locator(FIELDS).filter({ visible: true })
  await fields.first().waitFor()
  // An editor takes no text before its file is there.
  await page.locator('[aria-busy="true"], [aria-readonly="true"]').first().waitFor({ state: 'detached' })
  return fields
}

interface Shown {
  /** Accessible name; the second field of a name is `name #2`. */
  readonly name: string
  readonly text: string
}

/** Names and texts of fields. An editor shows a space at the end as one that does not break. */
async function read(fields: Locator): Promise<Shown[]> {
  const all = await fields.evaluateAll((found) =>
    found.map((one: any) => ({
      name: String(one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.placeholder).trim(),
      text: String(one.value ?? one.innerText)
        .replaceAll('\u00a0', ' ')
        .replace(/\n$/, ''),
    })),
  )
  return all.map(({ name, text }, at) => {
    const nth = all.slice(0, at).filter((other) => other.name === name).length + 1
    return { name: nth === 1 ? name : `${name} #${nth}`, text }
  })
}

export const textOf = async (fields: Locator, name: string): Promise<string | undefined> =>
  (await read(fields)).find((one) => one.name === name)?.text

/** Replaces the text of a field, as a person does. */
async function typeOver(fields: Locator, name: string, text: string, speed = 0): Promise<void> {
  const page = fields.page()
  await fields.nth((await read(fields)).findIndex((one) => one.name === name)).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text, { delay: speed })
}

/** Types a text into every field of a place; returns the names of the fields that keep it. */
export async function typeAll(fields: Locator, { without, forgets }: Place, text: string): Promise<readonly string[]> {
  const names = (await read(fields)).map(({ name }) => name).filter((name) => without?.test(name) !== true)
  for (const name of names.toReversed()) await typeOver(fields, name, text)
  return names.filter((name) => forgets?.test(name) !== true)
}

/** Types into every field of a place at each speed; returns the names of the fields, and a line for each lost text. */
export async function typeAtSpeeds(
  fields: Locator,
  { path, without }: Place,
  speeds: readonly number[],
): Promise<{ readonly names: readonly string[]; readonly lost: readonly string[] }> {
  const names = (await read(fields)).map(({ name }) => name).filter((name) => without?.test(name) !== true)
  const lost: string[] = []
  // A search at the top may hide the fields below it.
  for (const name of names.toReversed())
    for (const speed of speeds) {
      const wanted = name.startsWith('E-mail address') ? ADDRESS : TEXT
      await typeOver(fields, name, wanted, speed)
      await wait(STAYS_MS)
      const text = await textOf(fields, name)
      if (text !== wanted) lost.push(`${path}, ${name}, ${speed} ms: ${JSON.stringify(text)}`)
    }
  return { names, lost }
}

/** Runs `work` on all items, some at once. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
