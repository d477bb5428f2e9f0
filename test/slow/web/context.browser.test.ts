import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script> [x](javascript:window.ran=1)'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

let desk: AppDesk
beforeAll(async () => {
  if (!missing) desk = await openAppDesk()
})
afterAll(() => desk?.close())

const yaml = (): string => readFileSync(join(desk.folder, 'ken.yaml'), 'utf8')

/**
 * Replaces the content of an editor. It is emptied first: Chromium applies the colour of replaced text as an inline
 * style, which the content security policy blocks; that is harmless, because the editor redraws the line.
 */
async function write(label: string, text: string): Promise<void> {
  const editor = desk.page.getByRole('textbox', { name: label })
  await editor.click()
  await desk.page.keyboard.press('Control+a')
  await desk.page.keyboard.press('Delete')
  await desk.page.keyboard.insertText(text)
}

describe.skipIf(missing)('the context in the app', () => {
  it('syncs with a failing source, repairs it, and syncs again', async () => {
    const { page } = desk
    const before = yaml()
    await desk.goto('context/config')
    await write('ken.yaml', `${before.trimEnd()}\nunknown: 1\n`)
    await page.getByText('"unknown" is not known').waitFor()
    await write('ken.yaml', withArchive(before))
    await page.getByText('database/archive').first().waitFor()
    await page.reload()
    await page.getByText('Unsaved draft').waitFor()
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('There is no file archive.db').first().waitFor()
    expect(yaml()).toBe(before)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(yaml).toBe(withArchive(before))

    await desk.goto('context/sources')
    const archive = page.getByRole('listitem', { name: 'archive' })
    await archive.getByText('broken').waitFor()
    await page.getByRole('button', { name: 'Sync all' }).click()
    await page.getByText(/1 of \d+ sources failed/).waitFor()
    await archive.getByText('There is no file archive.db').waitFor()

    const database = new DatabaseSync(join(desk.folder, 'archive.db'))
    database.exec('CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT)')
    database.prepare('INSERT INTO letters (body) VALUES (?), (?)').run(HOSTILE, HOSTILE)
    database.close()
    await archive.getByRole('button', { name: 'Test' }).click()
    await archive.getByText('Connected: 1 table').waitFor()
    await archive.getByRole('button', { name: 'Sync', exact: true }).click()
    await page.getByText('Synced 1 source.').waitFor()
    await archive.getByText('synced', { exact: true }).waitFor()
    expect(await desk.axe()).toEqual([])
  })

  it('finds a table by name with the keyboard alone, and shows its content as text', async () => {
    const { page } = desk
    await desk.goto('context')
    await page.keyboard.press('/')
    await page.keyboard.type('letters')
    await page.getByRole('treeitem', { name: 'letters' }).waitFor()
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'letters', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toContain('/context/table/archive/main.letters')
    await page.getByRole('grid', { name: 'Sample rows' }).getByText('<script>').first().waitFor()
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined()
    await page.getByRole('link', { name: 'Ask about this table' }).click()
    await page.waitForURL(/\/ask/)
    await page.goBack()
    await page.getByRole('heading', { level: 2, name: 'letters', exact: true }).waitFor()
  })

  it('refuses to overwrite another person’s change, and loses neither version', async () => {
    const { page } = desk
    const rules = join(desk.folder, 'RULES.md')
    await desk.goto('context/rules')
    await write('RULES.md', '# Rules\n\n- Mine.\n')
    await page.getByRole('heading', { name: 'Rules', level: 2, exact: true }).waitFor()
    writeFileSync(rules, '# Rules\n\n- Theirs.\n')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('was changed by someone else').first().waitFor()
    expect(readFileSync(rules, 'utf8')).toContain('Theirs')
    await page.getByRole('button', { name: 'Keep my draft' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => readFileSync(rules, 'utf8')).toBe('# Rules\n\n- Mine.\n')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => readFileSync(rules, 'utf8')).toContain('Theirs')
  })

  it('removes a source and restores it', async () => {
    const { page } = desk
    const before = yaml()
    await desk.goto('context/sources')
    await page.getByRole('button', { name: 'More for archive' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect.poll(yaml).not.toContain('archive')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(yaml).toBe(before)
  })

  it('has no axe violations, in light and dark', async () => {
    const { page } = desk
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const path of ['', '/sources', '/config', '/rules', '/table/archive/main.letters', '/file/RULES.md']) {
        await desk.goto(`context${path}`)
        await page.getByRole('treeitem').first().waitFor()
        expect(await desk.axe(), `${path} ${colorScheme}`).toEqual([])
      }
    }
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['', '/sources', '/config', '/table/archive/main.letters']) {
      await desk.goto(`context${path}`)
      expect(await desk.axe(), `${path} on a phone`).toEqual([])
    }
    // Except the error of the refused save above.
    expect(desk.problems().filter((line) => !line.includes('409 (Conflict)'))).toEqual([])
  })
})

const withArchive = (text: string): string =>
  text.replace('databases:\n', 'databases:\n  - name: archive\n    type: sqlite\n    path: archive.db\n')
