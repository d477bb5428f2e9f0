import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing !== undefined) throw new Error(missing)

const REASON = 'Measured for a month: the hit rate is high and nobody noticed a restart.'

describe('by keyboard alone', () => {
  let desk: AppDesk
  beforeAll(async () => {
    desk = await openAppDesk()
    // Discards problems of the first page.
    desk.problems()
  }, 120_000)
  afterAll(() => desk.close())
  const key = (keys: string) => desk.page.keyboard.press(keys)
  const type = (text: string) => desk.page.keyboard.type(text)

  it('checks an approach against decisions while it is typed, and opens a hit', async () => {
    await desk.goto('decisions')
    await key('/')
    await type('use redis as a cache')
    const panel = desk.page.getByRole('listbox', { name: 'Related decisions' })
    await panel.getByText('Rejected by D025: Redis as a cache').waitFor()
    await desk.page.getByRole('status').getByText('It reintroduces "Redis as a cache", rejected in D025.').waitFor()
    await key('ArrowDown')
    await key('Enter')
    await desk.page.waitForURL(/\/decisions\/25/)
    await desk.page.getByRole('heading', { name: /Cache the product list/ }).waitFor()
  }, 60_000)

  it('proposes the typed text, checked as it is written', async () => {
    await key('p')
    await desk.page.waitForURL(/\/decisions\/new/)
    const title = desk.page.getByLabel('Decision', { exact: true })
    await title.waitFor()
    expect(await title.inputValue()).toBe('use redis as a cache')
    const checks = desk.page.getByRole('complementary', { name: 'Checks' })
    await checks.getByText(/Rejected by D\d+: Redis as a cache/).waitFor()
    await key('Tab')
    await type(REASON)
    await checks.getByText('Ready to record.').waitFor()
    await desk.page.reload()
    await desk.page.getByText(REASON).waitFor()
    await key('Control+Enter')
    await desk.page.waitForURL(/\/decisions\/28/)
    await desk.page.getByText(/^Recorded as D028 "/).waitFor()
    expect(await desk.run('get_decision', { number: 28 })).toMatchObject({
      title: 'use redis as a cache',
      trust: 'approved',
    })
  }, 60_000)

  it('supersedes a decision, links both in the lineage, and draws both', async () => {
    await desk.page.getByRole('heading', { name: /use redis as a cache/ }).waitFor()
    await key('s')
    await desk.page.waitForURL(/\/decisions\/new/)
    await desk.page.getByLabel('Decision', { exact: true }).waitFor()
    await type('Use Valkey as a cache')
    await key('Tab')
    await type(`${REASON} It is what our host offers.`)
    await desk.page.getByText('Ready to record.').waitFor()
    await key('Control+Enter')
    await desk.page.waitForURL(/\/decisions\/29/)
    const lineage = desk.page.getByRole('navigation', { name: 'Lineage' })
    await lineage.getByText('D028').waitFor()
    expect(await desk.run('get_decision', { number: 28 })).toMatchObject({ status: 'superseded' })
    await key('3')
    await desk.page.getByText('29 decisions').waitFor()
    expect(desk.page.url()).toContain('view=graph')
    await key('u')
    await desk.page.getByText('Undone.').waitFor()
    expect(await desk.run('get_decision', { number: 28 })).toMatchObject({ status: 'active' })
  }, 60_000)

  it('moves through the list, selects two and compares them', async () => {
    await desk.goto('decisions')
    await desk.page.getByRole('listbox', { name: 'Decisions' }).waitFor()
    for (const press of ['j', 'x', 'j', 'x', 'c']) await key(press)
    await desk.page.waitForURL(/\/decisions\/compare\?.*a=28.*b=27/)
    await desk.page.getByText('differs').first().waitFor()
  }, 60_000)

  it('goes back in time with the arrow keys, and returns to now', async () => {
    await desk.goto('decisions')
    await desk.page.getByRole('slider', { name: 'As of' }).focus()
    for (let press = 0; press < 8; press++) await key('ArrowLeft')
    await desk.page.getByText(/As it was on/).waitFor()
    expect(desk.page.url()).toContain('asOf=')
    await desk.page.getByText(/^2\d decisions$/).waitFor()
    await desk.page.getByRole('button', { name: 'Back to now' }).press('Enter')
    await desk.page.waitForURL((url) => !url.href.includes('asOf'))
    expect(desk.problems()).toEqual([])
  }, 60_000)

  it('keeps every key of a slow typist in the check field', async () => {
    await desk.goto('decisions')
    const field = desk.page.getByLabel('Search decisions or check an approach')
    await field.focus()
    const approach = 'use a redis cache for hot pages'
    for (const letter of approach) {
      await type(letter)
      // After each space, waits longer than the pause after which the URL is updated.
      await desk.page.waitForTimeout(letter === ' ' ? 450 : 40)
    }
    await desk.page.waitForURL(/hot(?:\+|%20)pages/)
    expect(await field.inputValue()).toBe(approach)
  }, 60_000)
})

describe('actions on decisions and questions', () => {
  let desk: AppDesk
  beforeAll(async () => void (desk = await openAppDesk({ theme: 'dark' })), 120_000)
  afterAll(() => desk.close())

  it('accepts an agent proposal, and undoes it', async () => {
    await desk.goto('decisions/25')
    await desk.page.getByRole('button', { name: 'Accept' }).click()
    await desk.page.getByText('Accepted D025.').waitFor()
    expect(await desk.run('get_decision', { number: 25 })).toMatchObject({ trust: 'approved' })
    await desk.page.getByRole('button', { name: 'Undo' }).click()
    await desk.page.getByText('Undone.').waitFor()
    expect(await desk.run('get_decision', { number: 25 })).toMatchObject({ trust: 'proposed by an agent' })
  }, 60_000)

  it('edits a text, refuses a save after a concurrent change, and loses nothing', async () => {
    await desk.goto('decisions/24/edit')
    const field = desk.page.getByLabel('Text', { exact: true })
    const text = await field.inputValue()
    await field.fill(text.replace('## Decision\n', '## Decision\n\nIn short: a table.'))
    await desk.run('edit', { decision: '24', text: text.replace('## Decision\n', '## Decision\n\nSomebody else.') })
    await desk.page.getByRole('button', { name: 'Save' }).click()
    await desk.page
      .getByRole('alert')
      .getByText(/has changed since you opened it/)
      .waitFor()
    expect(await field.inputValue()).toContain('In short: a table.')
  }, 60_000)

  it('opens both decisions that a question is about side by side, and resolves it there', async () => {
    await desk.run('flag_question', { question: 'D014 and D019 name the same month. Which holds?' })
    await desk.goto('decisions?view=questions')
    await desk.page.getByRole('option', { name: /name the same month/ }).click()
    await desk.page.getByRole('link', { name: 'Compare D014 and D019' }).click()
    await desk.page.getByRole('article', { name: /^D014/ }).waitFor()
    await desk.page.getByRole('article', { name: /^D019/ }).waitFor()
    await desk.page.getByRole('button', { name: 'Resolve with D019' }).click()
    await desk.page.getByText(/^Resolved Q\d+ with D019/).waitFor()
    await desk.page.getByRole('button', { name: 'Undo' }).click()
    await desk.page.getByText('Undone.').waitFor()
  }, 60_000)

  it('flags a question and resolves it by a decision', async () => {
    await desk.goto('decisions?view=questions')
    await desk.page.getByRole('textbox', { name: 'Question', exact: true }).fill('May the cache hold addresses?')
    await desk.page.getByRole('button', { name: 'Add question' }).click()
    await desk.page.getByRole('option', { name: /May the cache hold addresses/ }).click()
    await desk.page.getByRole('combobox', { name: 'Or answered by an existing decision' }).fill('23')
    await desk.page.getByRole('option', { name: /D023/ }).click()
    await desk.page.getByRole('button', { name: 'Resolve' }).click()
    await desk.page.getByText(/^Resolved Q\d+ with D023/).waitFor()
    const { questions } = await desk.run('questions', { all: true })
    expect(questions).toContainEqual(
      expect.objectContaining({ resolved_by: 23, body: 'May the cache hold addresses?' }),
    )
  }, 60_000)

  it('shows hostile text as text: nothing runs, nothing is fetched', async () => {
    await desk.run('propose_decision', {
      title: 'Show <img src=x onerror=alert(1)> as it is',
      rationale: `${REASON}\n\n<script>alert(1)</script> ![spy](https://evil.example/p.png) [go](javascript:alert(1))`,
      rejected: [{ alternative: '<b onclick=alert(1)>bold</b>', reason: '![spy](https://evil.example/q.png)' }],
      files_affected: ['"><svg onload=alert(1)>.ts'],
    })
    desk.problems()
    for (const path of [
      'decisions/28',
      'decisions',
      'decisions?view=graph&graph=graph/status/D028',
      'decisions/compare?a=28&b=27',
    ]) {
      await desk.goto(path)
      await desk.page
        .getByText(/onerror=alert/)
        .first()
        .waitFor()
    }
    expect(
      await desk.page
        .locator('script:not([src]):not([type="application/json"]), img[src^="http"], a[href^="javascript"]')
        .count(),
    ).toBe(0)
    expect(desk.problems()).toEqual([])
  }, 60_000)

  it('has no axe violations, in every view', async () => {
    for (const path of [
      '',
      '/25',
      '?view=timeline',
      '?view=graph',
      '?view=questions',
      '/new',
      '/24/edit',
      '/compare?a=16&b=19',
      '/16?asOf=2026-10-22',
    ]) {
      await desk.goto(`decisions${path}`)
      expect(await desk.axe(), path).toEqual([])
    }
  }, 120_000)
})

it('an empty record explains itself with an example and a command', async () => {
  const desk = await openAppDesk({ project: 'empty' })
  try {
    await desk.run('init', {})
    desk.problems()
    await desk.goto('decisions')
    await desk.page.getByRole('heading', { name: 'Decisions' }).waitFor()
    expect(desk.problems()).toEqual([])
  } finally {
    await desk.close()
  }
}, 120_000)
