import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Script } from '../../scripted-model.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

// User journeys: asking for a chart, a story and a file; stopping, leaving and returning, disagreeing, changing a
// question, and having no model.

const BY_STATUS = 'SELECT status, count(*) AS orders FROM orders GROUP BY status ORDER BY orders DESC'
const lastQuery = (said: string): string => said.match(/q_[0-9a-f]{12}/g)!.at(-1)!

/** New for each use: a script keeps its position. */
const charted = (): Script => [
  { say: 'Let me look.', call: { tool: 'execute_sql', input: { sql: 'SELECT nothing FROM nowhere' } } },
  { call: { tool: 'execute_sql', input: { sql: BY_STATUS } } },
  ({ said }) => ({
    call: {
      tool: 'display_chart',
      input: { query_id: lastQuery(said), kind: 'bar', title: 'Orders by status', x: 'status', y: ['orders'] },
    },
  }),
  ({ said }) => {
    const [, count] = /\| status \| orders \|\n[^\n]*\n\|[^|\n]*\| *(\d+) *\|/.exec(said)!
    return {
      say: `Most are of one kind, [${count}](${lastQuery(said)}.orders.1) orders. Another 987654 were never counted.`,
      call: { tool: 'suggest_follow_ups', input: { questions: ['And by channel?', 'And by month?'] } },
      usage: { input: 4_000, output: 200 },
    }
  },
]

let desk: AppDesk
const page = () => desk.page
const field = () => page().getByRole('textbox', { name: 'Question' })
const answer = () => page().getByRole('article', { name: 'Answer' }).last()
const ask = async (question: string): Promise<void> => {
  await field().click()
  await page().keyboard.type(question)
  await page().keyboard.press('Enter')
}

describe.skipIf(missing)('with a model', () => {
  beforeAll(async () => {
    desk = await openAppDesk()
    // Learning uses the same model, and would consume a step of its script.
    await desk.run('config_set', { name: 'memory.learn', value: 'false' })
  }, 120_000)
  // Discards problems of the previous page.
  beforeEach(async () => {
    await desk.goto('ask')
    desk.problems()
  })
  afterAll(() => desk?.close())

  test('a question becomes an answer with a chart, a story, and a file', async () => {
    desk.model.reply = charted()
    await field().click()
    await page().keyboard.type('How many orders of each status, in @orders')
    await page()
      .getByRole('option', { name: /main\.orders/ })
      .waitFor()
    await page().keyboard.press('Enter')
    await page().keyboard.press('Enter')
    await page().getByRole('button', { name: 'And by channel?' }).waitFor()
    expect(page().url()).toMatch(/\/ask\/[0-9A-Z]{26}/)
    expect(desk.model.requests[0]!.said).toContain('of each status, in @main.orders')

    // Opens the steps, so that failures are visible immediately.
    await answer()
      .getByRole('button', { name: /3 steps/ })
      .click()
    await answer().getByText('Error', { exact: true }).waitFor()
    // The number links to its cell, and the number that no query returned is marked.
    await answer().getByText('987654').and(page().getByTitle('No query returned this number.')).waitFor()
    await answer().locator('[data-answer-text]').getByRole('button').first().click()
    await answer().getByRole('grid', { name: 'Result of q1' }).waitFor()
    await answer().getByRole('figure').or(answer().locator('canvas')).first().waitFor()

    await answer().getByRole('button', { name: 'Save as story' }).click()
    await answer()
      .getByRole('link', { name: /^Story how-many-orders/ })
      .waitFor()
    const { stories } = await desk.run('stories_list')
    const made = stories.find(({ slug }: { slug: string }) => slug.startsWith('how-many-orders'))
    expect((await desk.run('story_show', { slug: made.slug }))['text']).toContain('<chart query="q_')

    const loading = page().waitForEvent('download')
    await page().getByRole('button', { name: 'More for this chat' }).click()
    await page().getByRole('menuitem', { name: 'Export as Markdown' }).click()
    const file = await loading
    expect(file.suggestedFilename()).toMatch(/^how-many-orders.*\.md$/)
    expect(readFileSync((await file.path())!, 'utf8')).toContain('Most are of one kind')
    expect(desk.problems()).toEqual([])
  })

  test('a sent question is shown at once, even with a slow server, and kept with a retry button if sending fails', async () => {
    desk.model.reply = ['Quite a few.']
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page().route(/\/v1\/ask\b/, async (route) => {
      await held
      await route.abort()
    })
    await ask('How many orders?')
    await page().getByRole('heading', { name: 'How many orders?' }).waitFor()
    await page().getByText('you · sending').waitFor()
    release()
    await page().getByText('you · not sent').waitFor()
    // The overlay of an unreachable Ken appears with the same failure.
    await page().unrouteAll({ behavior: 'wait' })
    await page().reload()
    await expect.poll(() => field().innerText()).toBe('How many orders?')
    await field().click()
    await page().keyboard.press('Enter')
    await answer().getByText('Quite a few.').waitFor()
    expect((await field().innerText()).trim()).toBe('')
    await page().reload()
    await desk.goto('ask')
    expect((await field().innerText()).trim()).toBe('')
    desk.problems()
  })

  test('the layout does not shift while an answer is written or when it ends', async () => {
    desk.model.reply = charted()
    await page().evaluate(() => {
      const shifts: { value: number; hadRecentInput: boolean }[] = []
      new PerformanceObserver((list) => shifts.push(...(list.getEntries() as never[]))).observe({
        type: 'layout-shift',
      })
      Object.assign(globalThis, { shifts })
    })
    await ask('How many orders of each status?')
    const inspector = page().getByRole('complementary', { name: 'Inspector' })
    await inspector.waitFor()
    await page().getByRole('button', { name: 'And by channel?' }).waitFor()
    await answer().locator('canvas').or(answer().getByRole('figure')).first().waitFor()
    expect(await page().getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
    const moved = await page().evaluate(() =>
      (globalThis as never as { shifts: { value: number; hadRecentInput: boolean }[] }).shifts
        .filter(({ hadRecentInput }) => !hadRecentInput)
        .reduce((sum, { value }) => sum + value, 0),
    )
    expect(moved).toBeLessThanOrEqual(0.02)
  })

  test('typing while suggestions load selects by the typed text, not the previous first suggestion', async () => {
    desk.model.reply = ['There are 12.']
    await field().click()
    await page().keyboard.type('How many @')
    await page().getByRole('option').nth(1).waitFor()
    await page().route(/\/mentions\b/, () => undefined)
    await page().keyboard.type('orders')
    const names = page().getByRole('option')
    await expect
      .poll(() => names.allInnerTexts().then((texts) => texts.every((text) => /orders/i.test(text))))
      .toBe(true)
    await page().keyboard.press('Enter')
    await expect.poll(() => field().innerText()).toContain('@main.orders')
    await page().unroute(/\/mentions\b/)
  })

  test('a running answer can be stopped, and the text so far stays', async () => {
    desk.model.reply = [{ say: 'It goes on and on. '.repeat(400), slow: 40 }]
    await ask('Tell me a long story')
    await answer().getByText('It goes on').waitFor()
    await page().getByRole('button', { name: 'Stop', exact: true }).click()
    await answer().getByText('Stopped.').waitFor()
    await page().getByRole('button', { name: 'Ask', exact: true }).waitFor()
  })

  test('a page reloaded during an answer continues without a gap, and a new question is queued', async () => {
    const words = Array.from({ length: 120 }, (_, at) => `word${at}`).join(' ')
    desk.model.reply = [{ say: words, slow: 25 }, 'That was the second.']
    await ask('Count for me')
    await answer().getByText('word5').waitFor()
    await ask('And then?')
    await page().getByRole('region', { name: 'Queued questions' }).getByText('And then?').waitFor()
    await page().reload()
    await answer().getByText('word8').waitFor()
    await page().getByText('That was the second.').waitFor()
    const first = await page()
      .getByRole('article', { name: 'Answer' })
      .first()
      .locator('[data-answer-text]')
      .innerText()
    expect(first.trim()).toBe(words)
    expect(desk.problems()).toEqual([])
  })

  test('a downvote with its reason is in the inbox, and can be withdrawn', async () => {
    desk.model.reply = ['There are 12.', 'Revenue is net of refunds.']
    await ask('How much revenue?')
    await answer().getByRole('button', { name: 'A bad answer' }).click()
    await page().keyboard.type('Revenue is net of refunds.')
    await page().getByRole('button', { name: 'Vote down' }).click()
    await page().getByText('Drafted a rule and a test in your inbox.').waitFor()
    const waiting = async () => (await desk.run('inbox_list'))['drafts'].length as number
    const before = await waiting()
    await page().getByRole('button', { name: /^Undo/ }).last().click()
    await expect.poll(waiting).toBe(before - 2)
  })

  test('a question can be edited and asked again, and an answer can be branched', async () => {
    desk.model.reply = ['The first.', 'The second.']
    await ask('Which one?')
    await answer().getByText('The first.').waitFor()
    const chat = page().url()
    await page().getByRole('button', { name: 'Edit and ask again' }).click()
    await page().getByRole('textbox', { name: 'Edit question' }).fill('Which other one?')
    await page().getByRole('button', { name: 'Ask again' }).click()
    await answer().getByText('The second.').waitFor()
    expect(await page().getByText('The first.').count()).toBe(0)
    await answer().getByRole('button', { name: 'Branch from this answer' }).click()
    await page().waitForURL((url) => url.href !== chat)
    await answer().getByText('The second.').waitFor()
  })

  test('model text is plain text: nothing runs or is fetched, and only addresses from the person are links', async () => {
    desk.model.reply = [
      '<img src=x onerror=alert(1)> ![a](https://elsewhere.example/a.png) [go](javascript:alert(1)) [out](https://elsewhere.example/) [there](https://given.example/)',
    ]
    await ask('Attack me, and tell of https://given.example/ as well')
    await answer().getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await answer().locator('img').count()).toBe(0)
    expect(await answer().locator('a[href^="javascript"]').count()).toBe(0)
    await answer()
      .getByText(/out elsewhere\.example/)
      .waitFor()
    await answer()
      .getByRole('link', { name: /given\.example/ })
      .waitFor()
    expect(await answer().locator('a[href*="elsewhere"]').count()).toBe(0)
    expect(desk.problems()).toEqual([])
  })

  test.each(['light', 'dark'] as const)('axe finds nothing, %s', async (theme) => {
    await page().emulateMedia({ colorScheme: theme })
    desk.model.reply = charted()
    expect(await desk.axe()).toEqual([])
    await ask('How many orders of each status?')
    await page().getByRole('button', { name: 'And by channel?' }).waitFor()
    await answer()
      .getByRole('button', { name: /3 steps/ })
      .click()
    await answer().locator('[data-query]').scrollIntoViewIfNeeded()
    await answer().getByRole('grid').waitFor()
    expect(await desk.axe()).toEqual([])
  })
})

test.skipIf(missing)(
  'a question without a model is answered with sources and how to add a model',
  { timeout: 120_000 },
  async () => {
    desk = await openAppDesk({ hasModel: false })
    try {
      await desk.goto('ask')
      await page()
        .getByRole('region', { name: 'Add a model' })
        .getByText('ken config set model.name ollama:qwen3')
        .waitFor()
      await ask('What is revenue?')
      await answer().getByText('The best sources, without a model').waitFor()
      await answer().getByText('Decisions', { exact: true }).waitFor()
    } finally {
      await desk.close()
    }
  },
)

test.skipIf(missing)(
  'an answer stops being shown as in progress after Ken was stopped',
  { timeout: 120_000 },
  async () => {
    desk = await openAppDesk()
    try {
      await desk.run('config_set', { name: 'memory.learn', value: 'false' })
      await desk.goto('ask')
      desk.model.reply = [{ say: 'It goes on and on. '.repeat(400), slow: 40 }]
      await ask('Tell me a long story')
      await answer().getByText('It goes on').waitFor()
      await desk.stop()
      await page().getByRole('alertdialog', { name: 'Can’t reach Ken' }).waitFor()
    } finally {
      await desk.close()
    }
  },
)
