import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'

const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' }

/** A page as it is shown, with its styles but without its scripts: nothing could show the same content sooner. */
export async function servePlainCopy(
  browser: Browser,
  { url, state }: { readonly url: string; readonly state: BrowserContextOptions['storageState'] },
): ReturnType<typeof servePeer> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: state! })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const html = await page.evaluate(() => {
    const styles = [...document.styleSheets].map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join('\n'))
    for (const one of document.querySelectorAll('script, link, style')) one.remove()
    return `<!doctype html><meta charset="utf-8"><style>${styles.join('\n')}</style>${document.body.outerHTML}`
  })
  await context.close()
  const folder = mkdtempSync(join(tmpdir(), 'ken-web-bench-'))
  writeFileSync(join(folder, 'index.html'), html)
  const served = await servePeer(folder)
  return {
    url: served.url,
    close() {
      served.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Serves the built page of another program as static files. */
export async function servePeer(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const named = join(folder, normalize(new URL(request.url!, 'http://peer').pathname))
    const path = existsSync(named) && statSync(named).isFile() ? named : join(folder, 'index.html')
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(readFileSync(path))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
