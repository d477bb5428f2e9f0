import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'
import { openPart, WEB } from './open-part.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

const SOURCE = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Menu } from ${JSON.stringify(join(WEB, 'kit/menu.tsx'))}
import { popups } from ${JSON.stringify(join(WEB, 'kit/popups.ts'))}
import { Tooltip } from ${JSON.stringify(join(WEB, 'kit/tooltip.tsx'))}
const button = (name) => createElement('button', { type: 'button' }, name)
createRoot(document.querySelector('#root')).render(
  createElement(
    'main',
    {},
    createElement(Menu, { trigger: button('More'), entries: [{ label: 'Rename', onSelect: () => {} }] }),
    createElement(Tooltip, { text: 'Saves the draft', children: button('Save') }),
    createElement('div', { ref: popups }),
  ),
)`

describe.skipIf(missing)('overlays that are loaded after the first paint', () => {
  let browser: OwnBrowser
  let page: Page
  let release: () => void
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage()
    await openPart(page, SOURCE)
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    const released = new Promise<void>((done) => (release = done))
    await page.route(/-overlay-.*\.js$/, async (route) => {
      await released
      await route.fallback()
    })
    await page.reload()
    await bare('More').waitFor()
  })
  const bare = (name: string) => page.locator('button[data-bare]', { hasText: name })

  test('a menu opens once it is loaded if its button was clicked before', async () => {
    await bare('More').click()
    expect(await bare('More').getAttribute('aria-haspopup')).toBe('menu')
    expect(await page.getByRole('menuitem').count()).toBe(0)
    release()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  })

  test.each(['More', 'Save'])('%s keeps the focus that it got before', async (name) => {
    await bare(name).focus()
    release()
    await bare(name).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe(name)
  })

  test('a tooltip is shown on hover once it is loaded', async () => {
    release()
    await bare('Save').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).hover()
    await page.getByText('Saves the draft').waitFor()
  })
})
