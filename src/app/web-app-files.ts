import { readFile } from 'node:fs/promises'
import { extname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { filesBelow } from '../kernel/system/files-below.ts'
import type { WebFiles } from '../surfaces/http/page-files.ts'
import { cloneBuilder } from './clone-builder.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** The built web app. Serves only files that were in its folder at the start, so no path leads out of it. */
export async function webAppFiles(): Promise<WebFiles> {
  const folder = import.meta.url.endsWith('.ts')
    ? await builtNow()
    : fileURLToPath(new URL('../web/app', import.meta.url))
  const known = new Map(filesBelow(folder).map((path) => [relative(folder, path).split(sep).join('/'), path]))
  // Anyone may request an asset, so each is compressed only once.
  const gzipped = new Map<string, Promise<Uint8Array>>()
  return async (name) => {
    const path = known.get(name)
    const type = TYPES[extname(name)]
    if (path === undefined || type === undefined) return undefined
    const bytes = await readFile(path)
    if (!name.startsWith('assets/')) return { bytes, type }
    if (!gzipped.has(name)) gzipped.set(name, promisify(gzip)(bytes))
    return { bytes, type, gzipped: await gzipped.get(name)! }
  }
}

/** Returns the folder of the app; in a clone the app is rebuilt if its source has changed. */
async function builtNow(): Promise<string> {
  const { builtWebApp } = await cloneBuilder<{ builtWebApp(): Promise<string> }>(
    new URL('../../scripts/web-app.ts', import.meta.url),
    'the bundler that builds the app',
  )
  return builtWebApp()
}
