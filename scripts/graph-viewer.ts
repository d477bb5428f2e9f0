import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { GraphViewer } from '../src/record/domain/graph/page.ts'

const FOLDER = resolve(import.meta.dirname, '../web/graph')

/** The browser part of `ken graph` as one script and one style sheet that can be inlined in a page. */
export async function bundleGraphViewer(): Promise<GraphViewer> {
  const bundle = await rolldown({ input: join(FOLDER, 'start.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', strict: true, minify: true })
  await bundle.close()
  const [script, ...more] = output
  if (more.length > 0) throw new Error(`The viewer must be one script, and has ${output.length} parts.`)
  const sheets = await Promise.all(['page.css', 'style.css'].map((name) => readFile(join(FOLDER, name), 'utf8')))
  const viewer = { script: script.code, style: sheets.map(withoutSpace).join('') }
  // The page contains script and style verbatim, so neither may close its own element.
  if (/<\/script|<!--/i.test(viewer.script)) throw new Error('The viewer would end its own script element.')
  if (/<\/style/i.test(viewer.style)) throw new Error('The style sheet would end its own style element.')
  return viewer
}

/** Removes comments and indentation, which make up a third of a style sheet. */
const withoutSpace = (sheet: string): string => sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\n\s*/g, '')
