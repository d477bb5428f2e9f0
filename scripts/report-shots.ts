/**
 * Takes screenshots of a test run's report in Chromium, in both themes and at phone width, folded and opened. `node
 * scripts/report-shots.ts [folder]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reportHtml } from '../src/evaluation/domain/report-html.ts'
import { shopReport } from '../test/sample-runs.ts'
import { launchChromium } from '../test/slow/chromium.ts'

const SCREENS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

const [folder = join(tmpdir(), 'report-shots')] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const path = join(folder, 'report.html')
writeFileSync(path, reportHtml(shopReport()))
const browser = await launchChromium()
for (const { name, ...screen } of SCREENS) {
  const page = await browser.newPage(screen)
  await page.goto(pathToFileURL(path).href)
  await page.screenshot({ path: join(folder, `${name}-folded.png`), fullPage: true })
  await page.locator('details.case > summary').nth(1).click()
  await page.screenshot({ path: join(folder, `${name}-open.png`), fullPage: true })
  await page.close()
}
await browser.close()
console.log(`Pictures are in ${folder}`)
