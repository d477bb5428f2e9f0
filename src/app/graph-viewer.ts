import { readFile } from 'node:fs/promises'
import type { GraphViewer } from '../record/domain/graph/page.ts'
import { cloneBuilder } from './clone-builder.ts'

/** Loads the viewer. In a clone it is bundled again on every call, so that it is never older than `web/graph`. */
export async function graphViewer(): Promise<GraphViewer> {
  if (import.meta.url.endsWith('.ts')) return bundledNow()
  const [script, style] = await Promise.all(
    ['viewer.js', 'style.css'].map((name) => readFile(new URL(`../web/graph/${name}`, import.meta.url), 'utf8')),
  )
  return { script: script!, style: style! }
}

async function bundledNow(): Promise<GraphViewer> {
  const { bundleGraphViewer } = await cloneBuilder<{ bundleGraphViewer(): Promise<GraphViewer> }>(
    new URL('../../scripts/graph-viewer.ts', import.meta.url),
    'the bundler that builds the graph',
  )
  return bundleGraphViewer()
}
