import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../../daily-sample.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

/** Pages with a layout that depends on the amount of data. */
const PAGES = [
  '',
  'inbox',
  'inbox?kind=import',
  'decisions',
  'decisions?sort=title',
  'decisions/60',
  'decisions?view=timeline',
  'decisions?view=questions',
  'memory',
  'context',
  'context/sql',
  'context/table/crm/main.customers',
]

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

const EACH = SCREENS.flatMap((screen) =>
  (['light', 'dark'] as const).flatMap((theme) => PAGES.map((path) => ({ path, theme, ...screen }))),
)
const TODAY = dailySample('pages of a large project', EACH, 12)

describe.skipIf(missing)('a project of some years', () => {
  let desk: AppDesk
  beforeAll(async () => {
    desk = await openAppDesk({ project: 'large', isOffline: true })
    desk.problems()
  })
  afterAll(() => desk?.close())
  const page = () => desk.page
  const key = (keys: string) => page().keyboard.press(keys)

  test('decisions use the full width, and can be sorted by a column and reversed', async () => {
    await desk.goto('decisions')
    const list = page().getByRole('listbox', { name: 'Decisions' })
    const width = (await list.boundingBox())!.width
    expect(width).toBeGreaterThan(1_000)
    const first = list.getByRole('option').first()
    const newest = await first.textContent()
    await page().getByRole('button', { name: 'Decision', exact: true }).click()
    await page().waitForURL(/sort=title/)
    await expect.poll(() => first.textContent()).not.toBe(newest)
    const firstByTitle = await first.textContent()
    await page()
      .getByRole('button', { name: /^Decision/, pressed: true })
      .click()
    await page().waitForURL(/reverse=true/)
    await expect.poll(() => first.textContent()).not.toBe(firstByTitle)
    await first.click()
    await page().waitForURL(/decisions\/\d+/)
    expect(new URL(page().url()).searchParams.get('sort')).toBe('title')
  })

  test('several decisions are superseded by one', async () => {
    await desk.goto('decisions')
    await page().getByRole('listbox', { name: 'Decisions' }).waitFor()
    for (const press of ['j', 'x', 'j', 'x', 'j', 'x']) await key(press)
    await page().getByRole('link', { name: 'Supersede all' }).click()
    await page().waitForURL(/decisions\/new\?.*supersedes/)
    await page().getByLabel('Decision', { exact: true }).waitFor()
    const supersedes = JSON.parse(new URL(page().url()).searchParams.get('supersedes')!) as number[]
    expect(supersedes).toHaveLength(3)
  })

  test('tables of several databases show their database', async () => {
    await desk.goto('context')
    const tables = page().getByRole('listbox', { name: 'Tables' })
    for (const name of ['crm.main.customers', 'billing.main.customers', 'support.main.customers'])
      await tables.getByText(name, { exact: true }).waitFor()
  })

  test('the memory opens on sessions by day, with their facts', async () => {
    await desk.goto('memory')
    const list = page().getByRole('listbox', { name: 'Sessions by day' })
    await list
      .getByText(/^changed .*store\.ts · 2 commands, 1 failed/)
      .first()
      .waitFor()
    expect(await list.getByText('**').count()).toBe(0)
    await list.getByRole('option').nth(1).click()
    await page().waitForURL(/memory\/doc\//)
  })

  test('counts agree, and proposals are accepted in bulk and undone', async () => {
    await desk.goto('')
    const { inbox, record } = await desk.run('overview')
    const pending = inbox + record.proposals
    await page().getByRole('region', { name: 'Inbox' }).getByText(`${pending} in all`).waitFor()
    await page()
      .getByText(new RegExp(`^${pending} pending in the inbox$`))
      .first()
      .waitFor()
    await desk.goto('inbox?kind=proposal')
    const queue = page().getByRole('listbox', { name: 'Review queue' })
    await queue.getByRole('option').nth(1).waitFor()
    for (const press of ['x', 'j', 'x']) await key(press)
    await page().getByText('2 selected').waitFor()
    await key('a')
    await page().getByText('Accepted 2 proposals.').waitFor()
    expect((await desk.run('overview')).record.proposals).toBe(record.proposals - 2)
    await page().getByRole('button', { name: 'Undo' }).click()
    await page().getByText('Undone.').waitFor()
    expect((await desk.run('overview')).record.proposals).toBe(record.proposals)
  })

  test('rejections that an import inferred are confirmed in the queue', async () => {
    const inferred = async (): Promise<unknown[]> => (await desk.run('accept', { dry_run: true })).inferred
    expect(await inferred()).toHaveLength(2)
    await desk.goto('inbox?kind=import')
    await page()
      .getByRole('article')
      .getByRole('heading', { name: /Web server$/ })
      .waitFor()
    await key('a')
    await page()
      .getByText(/^Confirmed in D/)
      .waitFor()
    expect(await inferred()).toEqual([])
    await page().getByText('Rejected alternatives that an import inferred appear here').waitFor()
  })

  test.each(TODAY)('/$path in $theme at $width px: no axe violations, no sideways scroll', async (one) => {
    await page().emulateMedia({ colorScheme: one.theme })
    await page().setViewportSize({ width: one.width, height: one.height })
    await desk.goto(one.path)
    expect(await desk.axe()).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page().evaluate<number>(overflow)).toBe(0)
    expect(desk.problems()).toEqual([])
  })
})
