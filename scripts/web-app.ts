import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { sourceMark } from './source-mark.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/ken/web-app')
// Sources of the app; it imports only pure code from `src`.
const SOURCES = ['web', 'src', 'scripts/web-app.ts', 'package-lock.json']

/**
 * Builds the web app as static files: one page, lazily loaded scripts, and no external address. Returns the modules it
 * contains.
 */
export async function buildWebApp(folder: string): Promise<Set<string>> {
  const built = (await forProduction(() =>
    build({
      root: join(ROOT, 'web/app'),
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: {
        outDir: folder,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 800,
        modulePreload: { polyfill: false },
      },
    }),
  )) as Rolldown.RolldownOutput
  return new Set(built.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])))
}

/** Sets NODE_ENV: with another value, as in tests, Vite builds for development. */
async function forProduction<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV = '' } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
}

/** Folder of the app built from the current source; builds it if missing. */
export async function builtWebApp(): Promise<string> {
  const mark = sourceMark(SOURCES)
  const folder = join(CACHE, mark)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const fresh = `${folder}.${process.pid}`
  await buildWebApp(fresh)
  // Listed before the rename, so that a build by another process in the meantime is not removed.
  const older = readdirSync(CACHE).filter((name) => !name.includes('.') && name !== mark)
  await rename(fresh, folder).catch(async (error: unknown) => {
    // Another process was faster.
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  await Promise.all(older.map((name) => rm(join(CACHE, name), { recursive: true, force: true })))
  return folder
}
