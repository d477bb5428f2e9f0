import { readFile } from 'node:fs/promises'
import type { GraphViewer } from '../core/graph/page.ts'

/** In a clone the viewer is bundled anew on every call, so that it is never older than `web/graph`. */
export async function graphViewer(): Promise<GraphViewer> {
  if (import.meta.url.endsWith('.ts')) {
    const bundler: string = new URL('../../scripts/graph-viewer.ts', import.meta.url).href
    const { bundleGraphViewer } = (await import(bundler)) as { bundleGraphViewer(): Promise<GraphViewer> }
    return bundleGraphViewer()
  }
  const [script, style] = await Promise.all(
    ['viewer.js', 'style.css'].map((name) => readFile(new URL(`../web/graph/${name}`, import.meta.url), 'utf8')),
  )
  return { script: script!, style: style! }
}
