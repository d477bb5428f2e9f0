import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

describe.skipIf(chromiumMissing() !== undefined)('the tests page', () => {
  let desk: AppDesk
  afterEach(() => desk.close())

  it('goes from the strip to the differing cells, using only the keyboard', async () => {
    desk = await openAppDesk()
    const { page } = desk
    await desk.goto('tests')
    const strip = page.getByRole('grid', { name: 'Cases and runs' })
    await strip.getByText('Orders without those that were cancelled').waitFor()
    // The newest run is at the end, and visible first.
    await expect.poll(() => strip.evaluate((one) => one.scrollLeft + one.clientWidth >= one.scrollWidth - 1)).toBe(true)
    await page.keyboard.press('j')
    await expect.poll(() => strip.getAttribute('aria-activedescendant')).toBeTruthy()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Orders without those that were cancelled' }).waitFor()
    const table = page.getByRole('region', { name: 'Expected and found' })
    expect(await table.getByRole('cell', { name: 'differs' }).allTextContents()).toEqual([
      'differs: 2024',
      'differs: 2120',
    ])
    await page.getByText('execute_sql').click()
    await page.getByText('SELECT count(*) AS orders FROM orders', { exact: true }).last().waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('menuitem', { name: 'For CI (JUnit XML)' }).click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toMatch(/^<\?xml[^]*Orders without those/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByText('6 of 7 passed').first().waitFor()
    expect(await desk.axe()).toEqual([])
    expect(desk.problems()).toEqual([])
  })

  it('creates a case from a chat, runs it with a model, and compares it with the previous run', async () => {
    desk = await openAppDesk({
      script: ({ said }) =>
        said.includes('2024')
          ? 'There are 2,024 orders.'
          : {
              call: {
                tool: 'execute_sql',
                input: { sql: "SELECT count(*) AS orders FROM orders WHERE status <> 'cancelled'" },
              },
            },
    })
    const { page } = desk
    const { chats } = await desk.run('chats_list')
    await desk.goto(`ask/${chats[0].id}`)
    await page.getByRole('button', { name: 'More for this chat' }).click()
    await page.getByRole('menuitem', { name: 'Record a test case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record a case' })
    await dialog.getByLabel('Name').fill('orders as they were counted')
    await dialog.getByText('name: orders as they were counted').waitFor()
    await dialog.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Recorded in').waitFor()
    const strip = page.getByRole('grid', { name: 'Cases and runs' })
    const tick = (name: string) => strip.getByRole('row').filter({ hasText: name }).locator('[data-tick]').click()
    await tick('orders as they were counted')
    await tick('Orders without those that were cancelled')
    await page.getByRole('button', { name: 'Run 2 selected' }).click()
    await page.getByRole('dialog', { name: 'Run tests' }).getByRole('button', { name: 'Run' }).click()
    await page.getByRole('status').getByText('1 of 2 passed').waitFor()
    await page.getByRole('link', { name: 'Open the run' }).click()
    await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
    await page.getByLabel('Compare with').click()
    await page.getByRole('option', { name: '6 of 7 passed' }).click()
    await page.getByRole('heading', { name: /^Newly passing/ }).waitFor()
    // The name of a case opens its latest run.
    await desk.goto('tests')
    await strip.getByText('orders as they were counted').click()
    await page.waitForURL(/\/tests\/run\/[^?]+\?case=/)
    expect(desk.model.strays).toEqual([])
    expect(desk.problems()).toEqual([])
  })

  it('stops a run, and finds a running one again after a reload', async () => {
    desk = await openAppDesk({ script: () => ({ say: 'Let me think about that for a while.', silence: true }) })
    const { page } = desk
    await desk.goto('tests?q=answers')
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Run tests' }).getByRole('button', { name: 'Run' }).click()
    await page.getByRole('progressbar').waitFor()
    await expect.poll(() => desk.model.requests.length).toBeGreaterThan(0)
    await page.reload()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/^Stopped after/).waitFor()
    expect(await desk.axe()).toEqual([])
  })

  it('reports the invalid parts of a case file, with their line', async () => {
    desk = await openAppDesk()
    writeFileSync(
      join(desk.folder, 'tests/typo.yaml'),
      '# mine\n\n- name: one\n  kind: sql\n  promt: How many?\n  sql: SELECT 1\n',
    )
    await desk.page.emulateMedia({ colorScheme: 'dark' })
    await desk.goto('tests')
    await desk.page.getByText('typo.yaml:3').waitFor()
    await desk.page.getByText('"promt" is not a field of it.').waitFor()
    expect(await desk.axe()).toEqual([])
  })

  it('explains itself if there are no cases yet', async () => {
    desk = await openAppDesk({ project: 'empty' })
    await desk.run('init', { name: 'fresh' })
    await desk.goto('tests')
    await desk.page.getByText('Test cases appear here.').waitFor()
    await desk.page.getByText('ken test record').waitFor()
    expect(await desk.axe()).toEqual([])
  })
})
