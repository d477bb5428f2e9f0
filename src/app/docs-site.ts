import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../kernel/domain/errors.ts'
import { filesBelow } from '../kernel/system/files-below.ts'

/** The documentation as static pages. */
export async function docsSite(): Promise<{ folder: string; pages: readonly string[] }> {
  const folder = await siteFolder()
  const pages = filesBelow(folder)
    .map((path) => relative(folder, path).split(sep).join('/'))
    .filter((name) => name.endsWith('.html'))
  return { folder, pages }
}

/** In a clone the pages are built again if one has changed. */
async function siteFolder(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../docs', import.meta.url))
  const builder: string = new URL('../../scripts/docs-site.ts', import.meta.url).href
  const { builtDocsSite } = await (import(builder) as Promise<{ builtDocsSite(): Promise<string> }>).catch(
    (error: unknown) => {
      throw new AppError('unavailable', 'Can’t load the packages that build the documentation in a clone', {
        hint: 'Run `npm install` in the clone of Ken, with its development packages.',
        cause: error,
      })
    },
  )
  return builtDocsSite()
}
