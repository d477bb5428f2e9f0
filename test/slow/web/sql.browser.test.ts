import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

describe.skipIf(missing)('the SQL page', () => {
  let desk: AppDesk
  beforeAll(async () => {
    desk = await openAppDesk({ isOffline: true })
    desk.problems()
  })
  afterAll(() => desk?.close())
  const page = () => desk.page
  const editor = () => page().getByRole('textbox', { name: 'SQL statement' })
  const grid = () => page().getByRole('grid', { name: 'Rows of the result' })
  const counted = (words: RegExp) => page().getByRole('status').getByText(words).waitFor()
  const run = async (): Promise<void> => {
    await page().locator('button:enabled', { hasText: 'Run' }).waitFor()
    await page().keyboard.press('ControlOrMeta+Enter')
  }
  const write = async (sql: string): Promise<void> => {
    await editor().click()
    await page().keyboard.press('ControlOrMeta+a')
    // Without it, Chromium gives the new text the colour of the old as an inline style, which the policy refuses.
    await page().keyboard.press('Backspace')
    await page().keyboard.insertText(sql)
    await page().keyboard.press('Escape')
  }

  test('runs a statement by keyboard, filters its rows, counts by a column and draws it', async () => {
    await desk.goto('context/sql')
    await editor().waitFor()
    await write('SELECT id, status, channel FROM orders ORDER BY id')
    await run()
    await counted(/^2,\d{3} rows/)
    await page().waitForURL(/sql=SELECT/)
    await page().getByRole('searchbox', { name: 'Filter these rows' }).fill('cancelled web')
    await counted(/^\d+ of 2,\d{3} rows/)
    await page().getByRole('combobox', { name: 'Count rows by' }).click()
    await page().getByRole('option', { name: 'status' }).click()
    await counted(/^4 rows/)
    expect(await grid().getByText('delivered').count()).toBe(1)
    await page().getByRole('tab', { name: 'Chart' }).click()
    await page().getByText('row_count by status').first().waitFor()
    expect(await desk.axe()).toEqual([])
    await page().goBack()
    await expect.poll(() => editor().textContent()).toContain('SELECT id, status, channel')
  })

  test('refuses a statement that writes, with the reason, and keeps its text over a reload', async () => {
    await desk.goto('context/sql')
    await editor().waitFor()
    await write('DELETE FROM orders')
    await run()
    await page()
      .getByRole('alert')
      .getByText(/^Not run: /)
      .waitFor()
    await write('SELECT 1 AS kept_text')
    await page().reload()
    await expect.poll(() => editor().textContent()).toContain('kept_text')
  })

  test('completes columns of the tables that the statement names', async () => {
    await desk.goto('context/sql')
    await editor().waitFor()
    await write('SELECT  FROM orders')
    await page().keyboard.press('Home')
    for (let at = 0; at < 7; at++) await page().keyboard.press('ArrowRight')
    await expect
      .poll(async () => {
        await page().keyboard.press('Escape')
        await page().keyboard.press('Control+Space')
        await page().locator('.cm-tooltip-autocomplete').waitFor()
        return page().locator('.cm-tooltip-autocomplete').textContent()
      })
      .toContain('total_cents')
  })

  test('opens the query of an answer, and saves the corrected statement for agents', async () => {
    const { chats } = await desk.run('chats_list', { words: ['revenue'] })
    await desk.goto(`ask/${chats[0].id}`)
    await page().getByRole('tab', { name: 'SQL' }).first().click()
    await page().getByRole('link', { name: 'Open in the editor' }).click()
    await page().waitForURL(/context\/sql\?/)
    await expect.poll(() => editor().textContent()).toContain('amount_cents')
    await editor().click()
    await run()
    await counted(/^\d+ rows/)
    await page().getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page().getByRole('dialog', { name: 'Save this statement' })
    await dialog.getByLabel('The question it answers').fill('Revenue net of refunds by month')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page()
      .getByText(/^Saved as queries\/revenue-net-of-refunds-by-month\.sql/)
      .waitFor()
    const saved = join(desk.folder, 'queries/revenue-net-of-refunds-by-month.sql')
    expect(existsSync(saved)).toBe(true)
    expect(readFileSync(saved, 'utf8')).toContain('-- question: Revenue net of refunds by month')
    expect(desk.problems()).toEqual([])
  })
})
