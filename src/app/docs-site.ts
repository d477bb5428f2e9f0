import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from '../kernel/system/files-below.ts'
import { cloneBuilder } from './clone-builder.ts'

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
  const { builtDocsSite } = await cloneBuilder<{ builtDocsSite(): Promise<string> }>(
    new URL('../../scripts/docs-site.ts', import.meta.url),
    'the packages that build the documentation',
  )
  return builtDocsSite()
}
