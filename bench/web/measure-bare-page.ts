import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../test/slow/chromium.ts'
import { measureScroll } from './measure-scroll.ts'
import { servePeer } from './serve-peer.ts'

/** A page without scripts that has all rows in its document: the browser's own share of a list of that length. */
export async function measureBarePage(rows: number, height: number): Promise<{ firstRows: number; frame: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-web-bench-'))
  writeFileSync(join(folder, 'index.html'), barePage(rows, height))
  const served = await servePeer(folder)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(120_000)
    const started = performance.now()
    await page.goto(served.url, { waitUntil: 'commit' })
    await page.locator('li').first().waitFor()
    const firstRows = performance.now() - started
    await page.waitForLoadState('load')
    return { firstRows, frame: await measureScroll(page.locator('ul')) }
  } finally {
    await browser.close()
    served.close()
    rmSync(folder, { recursive: true })
  }
}

function barePage(rows: number, height: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `<li><b>D${at + 1}</b><p>Serve the index in Postgres because the team operates it<br>The alternative needs a second rotation.</p><i>2026-01-01</i>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>
* { margin: 0 }
ul { height: 100vh; overflow-y: auto; padding: 0 }
li { display: grid; grid-template-columns: 56px 1fr 96px; height: ${height}px; overflow: hidden }
</style><ul>${lines.join('\n')}</ul>`
}
