import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

describe.skipIf(chromiumMissing() !== undefined)('notices', () => {
  let desk: AppDesk
  beforeAll(async () => {
    desk = await openAppDesk({ hasModel: false })
    const yaml = join(desk.folder, 'ken.yaml')
    const source = 'databases:\n  - name: archive\n    type: duckdb\n    path: gone.duckdb\n'
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('databases:\n', source))
  })
  afterAll(() => desk.close())

  test('show a failing source on another page, lead to it, and stay dismissed', async () => {
    const { page } = desk
    await desk.goto('decisions')
    await page.getByRole('button', { name: 'Notices: 1' }).click()
    const list = page.getByRole('dialog', { name: 'Notices' })
    await list.getByText('There is no file gone.duckdb.').waitFor()
    expect(await desk.axe()).toEqual([])
    await list.getByRole('link', { name: 'Source failing: archive' }).click()
    await page.waitForURL(/\/context\/sources$/)
    await page.getByRole('button', { name: 'Notices: 1' }).click()
    await list.getByRole('button', { name: 'Dismiss: Source failing: archive' }).click()
    await list.getByText(/appear here\.$/).waitFor()
    await desk.goto('memory')
    await page.getByRole('button', { name: 'Notices', exact: true }).waitFor()
    expect(desk.problems()).toEqual([])
  })
})
