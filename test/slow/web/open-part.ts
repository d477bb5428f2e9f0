import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'

/** The folder of the web app, for imports in the source of a part. */
export const WEB = resolve(import.meta.dirname, '../../../web/app')

/** Opens a page with nothing but a part of the web app: `source` renders it into `#root`. Chunks are as in the app. */
export async function openPart(page: Page, source: string): Promise<void> {
  // A file that is not written: packages are found from here.
  const entry = join(import.meta.dirname, 'part.js')
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      react(),
      { name: 'part', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) },
    ],
    build: { write: false, modulePreload: { polyfill: false }, rolldownOptions: { input: entry } },
  })) as Rolldown.RolldownOutput
  const files = new Map(
    built.output.map((part) => [`/${part.fileName}`, part.type === 'chunk' ? part.code : String(part.source)]),
  )
  const first = built.output.find((part) => part.type === 'chunk' && part.isEntry)!
  const sheets = [...files.keys()].filter((path) => path.endsWith('.css'))
  const html = `<!doctype html>${sheets.map((path) => `<link rel="stylesheet" href="${path}">`).join('')}
<div id="root" style="height: 100vh"></div><script type="module" src="/${first.fileName}"></script>`
  await page.route('http://part.test/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const body = pathname === '/' ? html : files.get(pathname)
    const contentType = pathname.endsWith('.js')
      ? 'text/javascript'
      : pathname.endsWith('.css')
        ? 'text/css'
        : 'text/html'
    return body === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ contentType, body })
  })
  await page.goto('http://part.test/')
}
