/** Builds what the package carries into `dist`: the CLI, the viewer of `ken graph`, and the types of `kenbase/core`. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BUNDLED_FONTS } from '../src/adapters/bundled-font.ts'
import { bundleCli } from './bundle-cli.ts'
import { bundleGraphViewer } from './graph-viewer.ts'
import { thirdPartyLicences } from './third-party-licences.ts'
import { buildWebApp } from './web-app.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

await rm(DIST, { recursive: true, force: true })
const [ofCli, ofApp] = await Promise.all([
  bundleCli(DIST),
  buildWebApp(join(DIST, 'web/app')),
  writeViewer(join(DIST, 'web/graph')),
  copyFonts(join(DIST, 'adapters/fonts')),
])
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES'), await thirdPartyLicences(new Set([...ofCli, ...ofApp])))
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
})

/** The letters of pictures and of paper; their licence asks that it stays beside them. */
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
