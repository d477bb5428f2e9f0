import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

/** Milliseconds from key to key: around every pause after which a field searches, checks or changes the address. */
const SPEEDS = [0, 60, 90, 120, 140, 170, 200, 230, 250, 280, 300, 420]
// Spaces at each pause: trimmed text that comes back would lose them.
const TEXT = 'use a redis cache for hot pages '

interface Field {
  readonly path: string
  readonly role: 'textbox' | 'combobox' | 'searchbox'
  readonly name: string | RegExp
}

const FIELDS: readonly Field[] = [
  { path: 'decisions', role: 'combobox', name: 'Search decisions or check an approach' },
  { path: 'decisions/new', role: 'textbox', name: 'Decision' },
  { path: 'decisions/new', role: 'textbox', name: 'Why' },
  { path: 'decisions?view=questions', role: 'textbox', name: 'Question' },
  { path: 'memory', role: 'searchbox', name: /^Search/ },
  { path: 'memory/notes', role: 'textbox', name: 'New note' },
  { path: 'ask', role: 'textbox', name: /./ },
  { path: 'context/sql', role: 'textbox', name: 'SQL statement' },
  { path: 'stories', role: 'searchbox', name: 'Search stories' },
  { path: 'tests', role: 'searchbox', name: /./ },
]

describe.skipIf(missing)('typing', () => {
  let desk: AppDesk
  beforeAll(async () => {
    desk = await openAppDesk({ project: 'demo' })
  })
  afterAll(() => desk?.close())

  test('loses no character in any field, at any speed', async () => {
    const context = desk.page.context()
    const lost: string[] = []
    let typed = 0
    await Promise.all(
      FIELDS.map(async ({ path, role, name }) => {
        const page = await context.newPage()
        page.setDefaultTimeout(120_000)
        await page.goto(`${desk.url}${desk.project}/${path}`)
        const field = page.getByRole('main').getByRole(role, { name }).first()
        await field.waitFor()
        for (const delay of SPEEDS) {
          await field.click()
          await page.keyboard.press('ControlOrMeta+a')
          await page.keyboard.press('Delete')
          await page.keyboard.type(TEXT, { delay })
          typed += TEXT.length
          // A late answer must not replace the text either.
          await page.waitForTimeout(600)
          const shown = await field.evaluate<string, HTMLInputElement>((one) => one.value ?? one.innerText)
          if (shown.replaceAll(/[\u00a0\n]/g, (one) => (one === '\n' ? '' : ' ')) !== TEXT)
            lost.push(`${path} ${String(name)} at ${delay} ms: ${JSON.stringify(shown)}`)
        }
        await page.close()
      }),
    )
    console.log(`${FIELDS.length} fields, ${SPEEDS.length} speeds, ${typed} characters, ${lost.length} lost texts`)
    expect(lost).toEqual([])
  })
})
