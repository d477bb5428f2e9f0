import { readFile } from 'node:fs/promises'
import { AppError } from '../kernel/domain/errors.ts'
import type { GraphViewer } from '../record/domain/graph/page.ts'

/** Loads the viewer. In a clone it is bundled again on every call, so that it is never older than `web/graph`. */
export async function graphViewer(): Promise<GraphViewer> {
  if (import.meta.url.endsWith('.ts')) return bundledNow()
  const [script, style] = await Promise.all(
    ['viewer.js', 'style.css'].map((name) => readFile(new URL(`../web/graph/${name}`, import.meta.url), 'utf8')),
  )
  return { script: script!, style: style! }
}

async function bundledNow(): Promise<GraphViewer> {
  const bundler: string = new URL('../../scripts/graph-viewer.ts', import.meta.url).href
  const { bundleGraphViewer } = await (import(bundler) as Promise<{ bundleGraphViewer(): Promise<GraphViewer> }>).catch(
    (error: unknown) => {
      throw new AppError('unavailable', 'Can’t load the bundler that builds the graph in a clone', {
        hint: 'Run `npm install` in the clone of Ken, with its development packages.',
        cause: error,
      })
    },
  )
  return bundleGraphViewer()
}
