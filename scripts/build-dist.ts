import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BUNDLED_FONTS } from '../src/kernel/system/bundled-font.ts'
import { bundleCli } from './bundle-cli.ts'
import { buildDocsSite } from './docs-site.ts'
import { bundleGraphViewer } from './graph-viewer.ts'
import { buildWebApp } from './web-app.ts'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Builds everything that runs from `dist`: the CLI, the web app, the viewer of `ken graph`, fonts, the documentation.
 * Returns its modules.
 */
export async function buildDist(dist: string): Promise<Set<string>> {
  const [ofCli, ofApp, ofDocs] = await Promise.all([
    bundleCli(dist),
    buildWebApp(join(dist, 'web/app')),
    buildDocsSite(join(dist, 'docs')),
    writeViewer(join(dist, 'web/graph')),
    copyFonts(join(dist, 'kernel/system/fonts')),
  ])
  return new Set([...ofCli, ...ofApp, ...ofDocs])
}

/** Copies the fonts for pictures and print; their licence must stay beside them. */
async function copyFonts(folder: string): Promise<void> {
  const fonts = join(ROOT, 'node_modules/dejavu-fonts-ttf')
  await mkdir(folder, { recursive: true })
  await Promise.all([
    ...BUNDLED_FONTS.map((name) => copyFile(join(fonts, `ttf/${name}.ttf`), join(folder, `${name}.ttf`))),
    copyFile(join(fonts, 'LICENSE'), join(folder, 'LICENSE')),
  ])
}

async function writeViewer(folder: string): Promise<void> {
  const { script, style } = await bundleGraphViewer()
  await mkdir(folder, { recursive: true })
  await Promise.all([writeFile(join(folder, 'viewer.js'), script), writeFile(join(folder, 'style.css'), style)])
}
