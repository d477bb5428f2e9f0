import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

let desk: AppDesk

const isMissing = chromiumMissing() !== undefined

beforeAll(async () => {
  if (!isMissing) desk = await openAppDesk()
})
afterAll(() => desk?.close())

test.skipIf(isMissing)(
  'the palette, a decision by number, pages by two keys and the shortcut list work by keyboard alone',
  async () => {
    const { page } = desk
    await desk.goto('')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search or ask' })
    await field.waitFor()
    await page.keyboard.type('d2')
    await page.getByRole('option', { name: /D002 Decision/ }).waitFor()
    expect(await page.getByRole('option').first().textContent()).toContain('D002')
    expect(await desk.axe()).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/decisions\/2(?:\?|$)/)
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL(/\/tests$/)
    // The title has the focus, so that it is read out and Tab continues from there.
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('H1')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Decisions').waitFor()
    expect(await desk.axe()).toEqual([])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    // Text typed into a field is text, even while the field is still loading.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gd?')
    expect(await field.inputValue()).toBe('gd?')
    await page.keyboard.press('Escape')
    expect(page.url()).toMatch(/\/tests$/)
    expect(desk.problems()).toEqual([])
  },
)

test.skipIf(isMissing)('a question in the palette goes to the analyst, and words to the memory', async () => {
  const { page } = desk
  await desk.goto('')
  for (const [typed, choice, place] of [
    ['why did we choose Postgres?', /^Ask: /, /\/ask(?:\/|\?|$)/],
    ['outbox', /^Search memory for/, /\/memory\?q=outbox/],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or ask' }).fill(typed)
    await page.getByRole('option', { name: choice }).click()
    await page.waitForURL(place)
  }
})

test.skipIf(isMissing)('text typed before the palette has loaded is kept in it', async () => {
  const { page } = desk
  const isTyped = Promise.withResolvers<void>()
  await page.route(/\/palette[^/]*\.js/, async (route) => {
    await isTyped.promise
    await route.continue()
  })
  // The page may preload the palette; this test must not wait for it.
  await page.goto(`${desk.url}${desk.project}`)
  await page.locator('h1').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('gd')
  isTyped.resolve()
  const field = page.getByRole('combobox', { name: 'Search or ask' })
  await field.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.role')).toBe('combobox')
  await page.keyboard.type('?')
  expect(await field.inputValue()).toBe('gd?')
  await page.unroute(/\/palette[^/]*\.js/)
})

test.skipIf(isMissing)('a dialog opened while a page loads keeps the focus', async () => {
  const { page } = desk
  await desk.goto('')
  const field = page.getByRole('combobox', { name: 'Search or ask' })
  // The palette's code is loaded by then; the code of the page loads only once the palette is open.
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  const opened = Promise.withResolvers<void>()
  await page.route(/\.js$/, async (route) => {
    await opened.promise
    await route.continue()
  })
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.keyboard.press('Control+k')
  await field.waitFor()
  opened.resolve()
  await page.locator('h1', { hasText: 'Tests' }).waitFor()
  // Takes the focus, like a page with its own input field.
  await page.evaluate("document.querySelector('h1').focus()")
  await page.keyboard.type('outbox')
  expect(await field.inputValue()).toBe('outbox')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
})

test.skipIf(isMissing)('a chosen theme is applied before the page is rendered, and after a reload', async () => {
  const { page } = desk
  await desk.goto('')
  await page.getByRole('button', { name: 'Theme: System' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark')
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(20, 20, 19)')
  await page.getByRole('button', { name: 'Theme: Dark' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  await expect.poll(paper).toBe('rgb(251, 250, 247)')
  // The system switches to dark in the evening, with the page open.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(paper).toBe('rgb(20, 20, 19)')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(paper).toBe('rgb(251, 250, 247)')
})

test.skipIf(isMissing)('recently visited places are offered again, including after a reload', async () => {
  const { page } = desk
  await desk.goto('decisions/1')
  await expect.poll(() => page.title()).toMatch(/D0*1\b/)
  // Reloads the app.
  await desk.goto('')
  await page.keyboard.press('Control+k')
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: /D0*1\b/ })
    .waitFor()
  await page.keyboard.press('Escape')
})

test.skipIf(isMissing)(
  'while Ken is unreachable the page shows the command to run, and continues automatically',
  async () => {
    const { page } = desk
    await desk.goto('')
    await page.route('**/v1/**', (route) => route.abort())
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Decisions/ })
      .click()
    const note = page.getByRole('alertdialog', { name: 'Can’t reach Ken' })
    await note.getByText('ken app', { exact: true }).waitFor()
    expect(await desk.axe()).toEqual([])
    await page.unroute('**/v1/**')
    await note.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // Discards the browser's log entries about interrupted calls.
    desk.problems()
  },
)

test.skipIf(isMissing)('a page whose code cannot be loaded from a stopped Ken opens once Ken is back', async () => {
  const { page } = desk
  await desk.goto('')
  await page.reload()
  await page.locator('h1').first().waitFor()
  const isOfApp = (url: URL): boolean => /^\/(?:assets|v1)\//.test(url.pathname)
  await page.route(isOfApp, (route) => route.abort())
  await page.evaluate(
    "history.pushState(null, '', location.pathname + '/memory/about-me'); dispatchEvent(new PopStateEvent('popstate'))",
  )
  await page.getByRole('alertdialog', { name: 'Can’t reach Ken' }).waitFor()
  expect(await page.getByText(/preload|dynamically/).count()).toBe(0)
  await page.unroute(isOfApp)
  await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor()
  desk.problems()
})

test.skipIf(isMissing)('rows and buttons are 44 pixels high where a finger presses them', async () => {
  const { page } = desk
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  await desk.goto('context')
  for (const target of [page.getByRole('treeitem').first(), page.getByRole('button', { name: /^Notices/ })])
    expect((await target.boundingBox())!.height).toBe(44)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await session.detach()
})

test.skipIf(isMissing)('a page without a session shows how to get one', async () => {
  const { page } = desk
  await desk.goto('')
  const key = await page.evaluate<string>("localStorage.getItem('ken.key')")
  await page.evaluate("localStorage.setItem('ken.key', 'of-somebody-else')")
  await page.reload()
  await page.getByRole('alertdialog', { name: 'No session' }).waitFor()
  await page.evaluate((value) => localStorage.setItem('ken.key', value), key)
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  desk.problems()
})

test.skipIf(isMissing)('an unknown address shows a message inside the frame', async () => {
  await desk.goto('nowhere/at/all')
  expect(await desk.page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
  expect(await desk.page.title()).toBe('Page not found · Ken')
  await desk.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Home/ }).click()
  await desk.page.waitForURL((url) => url.pathname === desk.project)
})
