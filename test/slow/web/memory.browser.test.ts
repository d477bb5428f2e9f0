import { appendFileSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { daysAgo, speak } from '../../upkeep/desk.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk, type DeskOptions } from './app-desk.ts'

const SLOW = 120_000

describe.skipIf(chromiumMissing() !== undefined)('the memory page', () => {
  let desk: AppDesk
  afterEach(() => desk?.close())

  const open = async (options: DeskOptions = {}): Promise<void> => {
    desk = await openAppDesk(options)
    // Discards problems of the first page.
    desk.problems()
  }
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await desk.page.keyboard.press(key)
  }
  const see = (text: string | RegExp) => desk.page.getByText(text).first().waitFor()
  /** Presses Tab until the element has the focus; fails if it never does. */
  const tabTo = async (name: string): Promise<void> => {
    for (let at = 0; at < 60; at++) {
      const focused = await desk.page.evaluate<string>(
        `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
      )
      if (focused.trim() === name) return
      await press('Tab')
    }
    throw new Error(`the focus never came to ${name}`)
  }

  const rollout = {
    id: 'aaaaaaaa-0000-4000-8000-000000000001',
    title: 'Quagga rollout',
    said: [
      ['Where do the quaggas sleep at night?', 'In the northern paddock, says the keeper.'],
      ['And who feeds the quagga?', 'The keeper does, at noon.'],
    ],
  } as const

  test(
    'a session is found, opened, forgotten with proof and no longer found, with the keyboard alone',
    { timeout: SLOW },
    async () => {
      await open()
      speak(desk.home, { ...rollout, cwd: desk.folder, at: daysAgo(1) })
      await desk.run('harvest')
      await desk.goto('memory')
      await press('/')
      await desk.page.keyboard.type('quagga feeding')
      await see('Quagga rollout')
      await press('ArrowDown', 'j', 'k', 'Space')
      await desk.page.locator('article mark', { hasText: 'quagga' }).first().waitFor()
      expect(new URL(desk.page.url()).searchParams.get('at')).toMatch(/^[0-9a-f]{12}:\d+$/)
      await press('Enter')
      await desk.page.waitForURL(/\/memory\/doc\//)
      // The preview, with the same words, is still visible for a moment.
      await expect.poll(() => desk.page.title()).toMatch(/^Quagga rollout/)
      await see('The keeper does, at noon.')
      await press('n')
      await see(/\d of \d/)
      await press('f')
      await desk.page.getByRole('dialog').getByText('Quagga rollout').waitFor()
      await tabTo('Forget')
      await press('Enter')
      await see(/Searched \d+ files for \d+ traces?: none left/)
      await tabTo('Done')
      await press('Enter')
      await desk.page.waitForURL(/\/memory\?q=/)
      await expect.poll(() => desk.page.getByText('Quagga rollout').count()).toBe(0)
      expect((await desk.run('memory_search', { query: 'quagga', workspace: 'all' }))['results']).toEqual([])
      expect(await desk.page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Quagga rollout')
      expect(desk.problems()).toEqual([])
    },
  )

  test('a search is narrowed by its facets, has a URL, and supports going back', { timeout: SLOW }, async () => {
    await open()
    speak(desk.home, { ...rollout, cwd: desk.folder, at: daysAgo(1) })
    await desk.run('harvest')
    await desk.run('memory_write', { content: 'The quagga is a zebra.', tags: ['zoo'] })
    await desk.goto('memory?q=quagga')
    await see('Quagga rollout')
    await see('The quagga is a zebra.')
    await desk.page.getByRole('button', { name: 'Origin' }).click()
    await desk.page.getByRole('menuitemcheckbox', { name: 'note 1' }).click()
    await expect.poll(() => desk.page.getByText('Quagga rollout').count()).toBe(0)
    expect(decodeURIComponent(desk.page.url())).toContain('origin=["note"]')
    await press('Escape')
    await desk.page.goBack()
    await see('Quagga rollout')
    await desk.goto('memory?q=quagga&tags=zoo')
    await see('The quagga is a zebra.')
    expect(await desk.page.getByText('Quagga rollout').count()).toBe(0)
  })

  test(
    'a session of ten thousand turns opens at its passage, and renders only a small part',
    { timeout: SLOW },
    async () => {
      await open()
      const said = Array.from(
        { length: 5_000 },
        (_, i) => [`Step ${i}?`, i === 4_200 ? 'The albatross failed.' : `Row ${i} is in.`] as const,
      )
      speak(desk.home, { id: 'bbbbbbbb-1', title: 'A long night', cwd: desk.folder, at: daysAgo(1), said })
      await desk.run('harvest')
      await desk.goto('memory?q=albatross')
      await see('A long night')
      await press('j', 'Enter')
      const turn = desk.page.getByRole('article', { name: 'Turn 8402' })
      await turn.getByText('albatross').waitFor()
      await expect.poll(() => turn.boundingBox().then((box) => box !== null && box.y > 0 && box.y < 900)).toBe(true)
      expect(await desk.page.getByRole('article').count()).toBeLessThan(60)
      await see('10,000 turns')
    },
  )

  test(
    'nothing in a session runs or is fetched, and a huge line does not freeze the page',
    { timeout: SLOW },
    async () => {
      await open({ isOffline: true })
      const evil = 'https://evil.example/x.png'
      speak(desk.home, {
        id: 'cccccccc-1',
        title: '<img src=x onerror=alert(1)> numbat',
        cwd: desk.folder,
        at: daysAgo(1),
        said: [
          [
            `<script>window.ran=1</script><img src="${evil}" onerror="window.ran=1"> numbat`,
            `![numbat](${evil}) [click](javascript:window.ran=1) [data](data:text/html,x) <iframe src="${evil}"></iframe> \u001b[31mred`,
          ],
          ['x'.repeat(180_000), `numbat ${'y '.repeat(20_000)}`],
        ],
      })
      await desk.run('harvest')
      await desk.goto('memory?q=numbat')
      await see(/onerror=alert\(1\)/)
      await press('j', 'Space')
      await desk.page.getByRole('article', { name: 'Turn 2' }).waitFor()
      await press('Enter')
      await desk.page.waitForURL(/\/memory\/doc\//)
      await see(/window\.ran=1/)
      expect(await desk.page.evaluate('window.ran')).toBeUndefined()
      const main = desk.page.locator('main')
      expect(await main.locator('img, iframe, script, a[href^="javascript"], a[href^="data"]').count()).toBe(0)
      expect(desk.problems()).toEqual([])
    },
  )

  test('a notes file is edited, saved, undone, and never overwrites concurrent notes', { timeout: SLOW }, async () => {
    await open()
    const { path } = await desk.run('memory_write', {
      content: 'The kettle is red.',
      target: 'memory',
      scope: 'global',
    })
    await desk.goto('memory/notes?file=MEMORY.md')
    const editor = desk.page.getByRole('textbox', { name: 'Text of MEMORY.md' })
    await editor.getByText('The kettle is red.').waitFor()
    const type = async (text: string): Promise<void> => {
      await editor.focus()
      await press('Control+End')
      await desk.page.keyboard.type(text)
    }
    await type('And it whistles.')
    await see(/Unsaved changes, kept on this machine/)
    await desk.page.reload()
    await editor.getByText('The kettle is red.').waitFor()
    await editor.focus()
    // The editor draws only the lines in view.
    await press('Control+End')
    await editor.getByText('And it whistles.').waitFor()
    await press('Control+s')
    // Upkeep may be running, in which case the save waits for it.
    await desk.page.getByText('Saved MEMORY.md').waitFor({ timeout: 60_000 })
    expect(readFileSync(path, 'utf8')).toContain('And it whistles.')
    await desk.page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => readFileSync(path, 'utf8').includes('whistles')).toBe(false)
    // Text typed before the page has updated would be a separate change.
    await editor.getByText('And it whistles.').waitFor({ state: 'hidden' })
    await type('Mine.')
    appendFileSync(path, '\n## 2026-05-01T11:00:00.000Z\n\nTheirs.\n')
    await editor.focus()
    await press('Control+s')
    await see(/The file changed while you edited/)
    expect(readFileSync(path, 'utf8')).not.toContain('Mine.')
    await desk.page.getByRole('button', { name: 'Append mine' }).click()
    await press('Escape')
    await desk.page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => /Theirs\.[^]*Mine\./.test(readFileSync(path, 'utf8'))).toBe(true)
  })

  test('a memory about a person is added, changed, forgotten and restored', { timeout: SLOW }, async () => {
    await open()
    await desk.goto('memory/about-me')
    const holding = async (): Promise<string[]> =>
      (await desk.run('memories_list'))['memories'].map(({ content }: { content: string }) => content)
    await desk.page.getByLabel('Rule or fact about me').fill('Always show weights in grams.')
    await press('Enter')
    const item = desk.page.getByRole('listitem').filter({ hasText: 'weights in' })
    await item.getByText('Always show weights in grams.').waitFor()
    await item.getByRole('button', { name: 'Edit' }).click()
    await desk.page.getByLabel('Text', { exact: true }).fill('Always show weights in kilograms.')
    await press('Enter')
    await item.getByText('Always show weights in kilograms.').waitFor()
    await item.getByRole('button', { name: 'History' }).click()
    await item.getByText('changed').waitFor()
    await item.getByRole('button', { name: 'Forget' }).click()
    await expect.poll(holding).not.toContain('Always show weights in kilograms.')
    await desk.page.getByRole('button', { name: /^Undo/ }).last().click()
    await expect.poll(holding).toContain('Always show weights in kilograms.')
    expect(desk.problems()).toEqual([])
  })

  test('an empty memory explains itself and offers a harvest that fills it', { timeout: SLOW }, async () => {
    await open({ project: 'empty' })
    await desk.goto('memory')
    await see('Sessions with your coding agents appear here.')
    speak(desk.home, { ...rollout, cwd: desk.folder, at: daysAgo(1) })
    await desk.page.getByRole('button', { name: 'Harvest sessions' }).click()
    await see('Quagga rollout')
  })

  for (const theme of ['light', 'dark'] as const)
    test(`no view has axe violations, ${theme}`, { timeout: SLOW }, async () => {
      await open({ theme })
      await desk.run('memory_write', { content: 'The kettle is red.', target: 'memory', scope: 'global' })
      await desk.run('memories_add', { content: 'Always show weights in grams.' })
      const found: string[] = []
      for (const path of ['memory', 'memory?q=order', 'memory/notes?file=MEMORY.md', 'memory/about-me?all=true']) {
        await desk.goto(path)
        found.push(...(await desk.axe()))
      }
      await desk.goto('memory?q=order&origin=session')
      await press('j', 'Space')
      await desk.page.getByRole('feed').waitFor()
      found.push(...(await desk.axe()))
      expect(found).toEqual([])
    })
})
