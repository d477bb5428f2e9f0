import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { sourceMark } from './source-mark.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/ken/web-app')
// What the app is made of; of the source it imports pure code alone.
const SOURCES = ['web', 'src', 'scripts/web-app.ts', 'package-lock.json']

/**
 * The web app as static files: one page, scripts that are loaded when they are needed, and no address of elsewhere. Tells
 * which modules went into it.
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

/** Vite builds for development where another value stands there, as it does while tests run. */
async function forProduction<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV = '' } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    process.env['NODE_ENV'] = NODE_ENV
  }
}

/** The folder of the app as the source is now, built if it is not there yet. */
export async function builtWebApp(): Promise<string> {
  const mark = sourceMark(SOURCES)
  const folder = join(CACHE, mark)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const fresh = `${folder}.${process.pid}`
  await buildWebApp(fresh)
  // Not the one that another process has put there meanwhile.
  const older = readdirSync(CACHE).filter((name) => !name.includes('.') && name !== mark)
  await rename(fresh, folder).catch(async (error: unknown) => {
    // Another process was faster.
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  await Promise.all(older.map((name) => rm(join(CACHE, name), { recursive: true, force: true })))
  return folder
}
