import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plantConflict } from '../../planted-conflict.ts'
import type { Script } from '../../scripted-model.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, withRecord, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const QUESTION = 'How many deliveries were late?'
const WRONG = 'SELECT count(*) AS late FROM deliveries'
const RIGHT = 'SELECT count(*) AS late FROM deliveries WHERE NOT on_time'
const TEST = `- name: Late deliveries
  kind: sql
  prompt: ${QUESTION}
  tags: [feedback]
  sql: ${RIGHT}
`

/** First counts all orders, and after the correction only late ones. */
const COUNTS: Script = ({ messages, said }, at) => {
  const isAnswered = messages.at(-1)?.role !== 'user'
  if (!isAnswered) return { call: { tool: 'execute_sql', input: { sql: at < 2 ? WRONG : RIGHT } } }
  const id = said.match(/q_[0-9a-f]{12}/g)!.at(-1)!
  const count = said
    .match(/\|\s*([\d,]+)\s*\|/g)!
    .at(-1)!
    .replaceAll(/[|\s]/g, '')
  return `There were [${count}](${id}.late.1).`
}

let desk: AppDesk
afterEach(async () => {
  expect(desk.problems()).toEqual([])
  await desk.close()
})

async function runAll(): Promise<void> {
  const { page } = desk
  // A closing dialog still has the keyboard focus.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Run tests' }).getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('link', { name: 'Open the run' }).waitFor({ timeout: 120_000 })
}

describe.skipIf(missing)('Home of a project', () => {
  beforeEach(async () => {
    desk = await openAppDesk({ script: COUNTS })
  })

  test('a downvote appears in the inbox, becomes a test by keyboard, and is run', async () => {
    const { page } = desk
    const { chat } = await desk.run('ask', { question: QUESTION })
    await desk.goto(`ask/${chat}`)
    await page.getByRole('button', { name: 'A bad answer' }).click()
    await page.getByLabel(/What is wrong/).fill('Only those that were not on time.')
    await page.getByRole('button', { name: 'Vote down' }).click()

    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('region', { name: 'Inbox' }).getByRole('link', { name: QUESTION, exact: true }).click()
    await page.getByRole('heading', { name: QUESTION, level: 2 }).waitFor()
    await page.getByText('Only those that were not on time.').last().waitFor()

    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'The test' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    await page.keyboard.insertText(TEST)
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByRole('button', { name: /^Apply/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByText(/^Test applied to tests\//).waitFor()
    const { drafts } = await desk.run('inbox_list', { settled: true })
    expect(readFileSync(join(desk.folder, drafts[0].settled.where), 'utf8')).toBe(TEST)

    await desk.goto(`inbox?settled=true&draft=${drafts[0].id}`)
    await page.getByRole('link', { name: 'Run it in Tests' }).click()
    await page.getByRole('heading', { name: 'Tests', level: 1 }).waitFor()
    await page.getByText('Late deliveries').first().waitFor()
    await runAll()
    const { cases } = await desk.run('test_show', { all: true })
    expect(cases.find(({ name }: { name: string }) => name === 'Late deliveries')).toMatchObject({ verdict: 'passed' })
  })

  test('a downvote is named and recorded in Tests, which resolves it in the inbox', async () => {
    const { page } = desk
    const { chat } = await desk.run('ask', { question: QUESTION })
    const voted = await desk.run('feedback', { message: chat, vote: 'down', reason: 'Only those that were late.' })
    const draft = voted['drafts'].find(({ kind }: { kind: string }) => kind === 'test')
    await desk.run('inbox_edit', { draft: draft.id, text: TEST })
    await desk.goto(`inbox?draft=${draft.id}`)
    await page.getByRole('link', { name: 'Name it and record it' }).click()
    expect(new URL(page.url()).searchParams.get('feedback')).toBe(draft.id)
    const dialog = page.getByRole('dialog', { name: 'Record a case' })
    await dialog.getByText(RIGHT).waitFor()
    await dialog.getByLabel('Name').fill('Too late')
    await dialog.getByText('name: Too late').waitFor()
    await dialog.getByRole('button', { name: 'Record' }).click()
    await page.getByText(/^Recorded in/).waitFor()
    expect((await desk.run('inbox_list', { kind: 'test' })).drafts.map(({ id }: { id: string }) => id)).not.toContain(
      draft.id,
    )
    await page.getByText('Too late').first().waitFor()
    await runAll()
    const { cases } = await desk.run('test_show', { all: true })
    expect(cases.find(({ name }: { name: string }) => name === 'Too late')).toMatchObject({ verdict: 'passed' })
  })

  test('j and k move through the inbox, d dismisses a draft, and u restores it', async () => {
    const { page } = desk
    await desk.goto('inbox')
    const title = page.getByRole('article').getByRole('heading', { level: 2 })
    const first = await title.textContent()
    await page.keyboard.press('j')
    await expect.poll(() => title.textContent()).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(() => title.textContent()).toBe(first)
    await page.keyboard.press('d')
    await page.getByText(/dismissed\.$/).waitFor()
    expect((await desk.run('inbox_list')).drafts).toHaveLength(1)
    await page.keyboard.press('u')
    await page.getByText('Pending again.').waitFor()
    expect((await desk.run('inbox_list')).drafts).toHaveLength(2)
  })

  test('text typed into a draft survives a reload', async () => {
    const { page } = desk
    const { drafts } = await desk.run('inbox_list', { kind: 'rule' })
    await desk.goto(`inbox?draft=${drafts[0].id}`)
    await page.getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('The rule').fill('Cancelled orders do not count.')
    await page.reload()
    await page.getByRole('button', { name: /^Edit/ }).click()
    expect(await page.getByLabel('The rule').inputValue()).toBe('Cancelled orders do not count.')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Draft saved.').waitFor()
    expect((await desk.run('inbox_show', { draft: drafts[0].id })).body).toBe('Cancelled orders do not count.')
  })

  test('a conflict is resolved with the other text, undone, and merged by hand', async () => {
    const { page } = desk
    const path = 'decisions/024-'
    const place = await withRecord(desk, async (store) => {
      const file = (await store.list()).find((name) => name.startsWith(path))!
      const begin = (words: string) => (text: string) => text.replace('## Decision\n', `## Decision\n\n${words}\n`)
      await plantConflict(store, file, [begin('For all shops.'), begin('For one shop.')])
      return file
    })
    const textOf = () => withRecord(desk, (store) => store.read(place))
    await desk.goto('inbox')
    const pane = page.getByRole('article', { name: place })
    const both = pane.getByRole('region', { name: `Both texts of ${place}` })
    await both.getByRole('columnheader', { name: 'Other text' }).waitFor()
    await both.getByRole('cell', { name: /removed: For all shops/ }).waitFor()
    await both.getByRole('cell', { name: /added: For one shop/ }).waitFor()
    expect(await desk.axe()).toEqual([])
    await pane.getByRole('button', { name: 'Use the other text' }).click()
    await page.getByText(/^Resolved Q\d+\.$/).waitFor()
    expect(await textOf()).toContain('For one shop.')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('Undone.').waitFor()
    expect(await textOf()).toContain('For all shops.')
    await pane.getByRole('button', { name: /^Merge by hand/ }).click()
    await pane.getByRole('textbox', { name: `Merged text of ${place}` }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('For one shop at first.')
    await page.keyboard.press('Control+s')
    await page
      .getByText(/^Resolved Q\d+\.$/)
      .last()
      .waitFor()
    expect(await textOf()).toMatch(/For all shops\.[^]*For one shop at first\./)
    expect((await desk.run('conflicts')).conflicts).toEqual([])
  })

  test('a flaw is shown with a preview of its repair, and is repaired', async () => {
    const { page } = desk
    const { location } = await desk.run('status')
    const decisions = join(location, 'decisions')
    const gone = readdirSync(decisions).find((name) => name.startsWith('012-'))!
    rmSync(join(decisions, gone))
    expect((await desk.run('doctor')).clean).toBe(false)
    await desk.goto('')
    await page.getByRole('button', { name: 'Preview repairs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repair preview' })
    await dialog.getByText('One delivery slot is two hours').first().waitFor()
    expect(existsSync(join(decisions, gone))).toBe(false)
    await dialog.getByRole('button', { name: /^Repair/ }).click()
    await page.getByText(/^Repaired /).waitFor()
    await page.getByText(/No problems found\.$/).waitFor()
    expect((await desk.run('doctor')).clean).toBe(true)
  })

  test('news since the last visit links to its page', async () => {
    const { page } = desk
    await page.evaluate(
      `localStorage.setItem('ken.visit.' + decodeURIComponent('${desk.project.slice(1)}'), JSON.stringify({ since: '2020-01-01T00:00:00Z', seen: new Date(Date.now() - 60 * 3600e3).toISOString(), isFirst: false }))`,
    )
    await desk.goto('')
    const news = page.getByRole('region', { name: 'New since your last visit' })
    await news.getByRole('link', { name: /^Slots of the last week/ }).click()
    await page
      .getByRole('heading', { name: /Slots of the last week/ })
      .first()
      .waitFor()
    expect(page.url()).toContain('/decisions/')
  })
})

describe.skipIf(missing)('Home of a folder that Ken has never seen', () => {
  test('explains what Ken is, and offers to set the folder up', async () => {
    desk = await openAppDesk({ project: 'empty', hasModel: false })
    const setUp = desk.page.getByRole('region', { name: 'Set up this folder' })
    await setUp.getByRole('checkbox', { name: 'Start a record' }).waitFor()
    await setUp.getByRole('button', { name: 'Set up', exact: true }).waitFor()
    expect(await desk.page.getByRole('button', { name: 'Copy ken start', exact: true }).count()).toBe(1)
  })
})
