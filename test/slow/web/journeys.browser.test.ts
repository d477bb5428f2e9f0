import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plantConflict } from '../../planted-conflict.ts'
import type { Script } from '../../scripted-model.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, withRecord, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const QUESTION = 'How many deliveries were late?'
const WRONG = '987654'

/** Counts the late deliveries, and answers with another number than the result has. */
const MISQUOTES: Script = [
  { call: { tool: 'execute_sql', input: { sql: 'SELECT count(*) AS late FROM deliveries WHERE NOT on_time' } } },
  ({ said }) => `There were [${WRONG}](${said.match(/q_[0-9a-f]{12}/g)!.at(-1)!}.late.1) late deliveries.`,
]

/** Counts mouse presses and key presses in the page; a chord is one key. */
const COUNT = `{
  const presses = (globalThis.presses = { clicks: 0, keys: 0 })
  addEventListener('mousedown', () => presses.clicks++, true)
  addEventListener('keydown', ({ key }) => ['Control', 'Meta', 'Alt', 'Shift'].includes(key) || presses.keys++, true)
}`

let desk: AppDesk
beforeEach(async () => {
  desk = await openAppDesk({ script: MISQUOTES })
})
afterEach(async () => {
  expect(desk.problems()).toEqual([])
  await desk.close()
})

/** Starts at Home; prints and returns the clicks and keys of a journey. */
async function journey(name: string, walk: () => Promise<void>): Promise<unknown> {
  await desk.goto('')
  await desk.page.evaluate(COUNT)
  await walk()
  // Undefined after a reload, which would lose the count.
  const presses = (await desk.page.evaluate('globalThis.presses')) as { clicks: number; keys: number }
  console.log(`${name}: ${presses.clicks} clicks, ${presses.keys} keys`)
  return presses
}

const openFromInbox = (title: RegExp): Promise<void> =>
  desk.page.getByRole('region', { name: 'Inbox' }).getByRole('link', { name: title }).click()

describe.skipIf(missing)('main journeys, from Home', () => {
  test('an agent proposal is accepted', async () => {
    const { page } = desk
    const { pending } = await desk.run('accept', { dry_run: true })
    const { num, title } = pending[0]
    const decision = () => desk.run('get_decision', { number: num })
    expect(await decision()).toMatchObject({ trust: 'proposed by an agent' })
    const presses = await journey('An agent proposal to an accepted decision', async () => {
      await openFromInbox(/^\d+ agent proposals? pending review$/)
      const proposal = page.getByRole('article', { name: title, exact: true })
      await proposal.getByRole('button', { name: /^Accept/ }).click()
      await page.getByText(/^Accepted D\d+\.$/).waitFor()
    })
    expect(await decision()).toMatchObject({ trust: 'approved' })
    const { pending: left } = await desk.run('accept', { dry_run: true })
    expect(left).toEqual(pending.slice(1))
    expect(presses).toEqual({ clicks: 2, keys: 0 })
  })

  test('a merge conflict is resolved with the other text', async () => {
    const { page } = desk
    const path = await withRecord(desk, async (store) => {
      const file = (await store.list()).find((name) => name.startsWith('decisions/024-'))!
      const begin = (words: string) => (text: string) => text.replace('## Decision\n', `## Decision\n\n${words}\n`)
      await plantConflict(store, file, [begin('For all shops.'), begin('For one shop.')])
      return file
    })
    expect((await desk.run('conflicts')).conflicts).toMatchObject([{ path }])
    const presses = await journey('A merge conflict to its resolution', async () => {
      await openFromInbox(/^1 conflict$/)
      const both = page.getByRole('region', { name: `Both texts of ${path}` })
      await both.getByRole('cell', { name: /added: For one shop/ }).waitFor()
      await page.getByRole('button', { name: 'Use the other text' }).click()
      await page.getByText(/^Resolved Q\d+\.$/).waitFor()
    })
    expect((await desk.run('conflicts')).conflicts).toEqual([])
    const text = await withRecord(desk, (store) => store.read(path))
    expect(text).toContain('For one shop.')
    expect(text).not.toContain('For all shops.')
    expect(presses).toEqual({ clicks: 2, keys: 0 })
  })

  test('a wrong number in a story is corrected to the marked value', async () => {
    const { page } = desk
    await desk.run('ask', { question: QUESTION })
    const { slug, title } = await desk.run('story_from_answer', {})
    const before = await desk.run('story_show', { slug })
    const right = String(before['data'][0].rows[0][0])
    expect(before['notices']).toEqual([expect.stringMatching(`^1 number differs from the data. ${WRONG}: .*${right}`)])
    const presses = await journey('A wrong number in a story to the corrected story', async () => {
      await page.getByRole('link', { name: /^Stories/ }).click()
      await page.getByRole('option', { name: title }).click()
      const story = page.getByRole('article', { name: title, exact: true })
      await story.getByText(`${WRONG}(≠ ${right})`).waitFor()
      await story.getByRole('button', { name: 'Edit', exact: true }).click()
      await page
        .getByRole('textbox', { name: `Text of ${title}` })
        .getByText(WRONG, { exact: true })
        .dblclick()
      await page.keyboard.type(right)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved version 2').waitFor()
      await story.getByText(`There were ${right} late deliveries.`).waitFor()
      expect(await story.getByText('≠').count()).toBe(0)
      expect(await story.getByText('differs from the data').count()).toBe(0)
    })
    const after = await desk.run('story_show', { slug })
    expect(after['text']).toBe(before['text'].replace(WRONG, right))
    expect(after['notices']).toEqual([])
    expect(presses).toEqual({ clicks: 6, keys: right.length })
  })
})
