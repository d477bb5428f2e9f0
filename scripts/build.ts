/** Builds what the package carries into `dist`: the CLI, the viewer of `ken graph`, and the types of `kenbase/core`. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bundleCli } from './bundle-cli.ts'
import { bundleGraphViewer } from './graph-viewer.ts'
import { thirdPartyLicences } from './third-party-licences.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

await rm(DIST, { recursive: true, force: true })
const [modules] = await Promise.all([
  bundleCli(DIST),
  writeViewer(join(DIST, 'web/graph')),
  copyFont(join(DIST, 'adapters/chart/echarts')),
])
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES'), await thirdPartyLicences(modules))
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
})

/** The letters of charts as PNG; its licence asks that it stays beside the font. */
async function copyFont(folder: string): Promise<void> {
  const font = join(ROOT, 'node_modules/dejavu-fonts-ttf')
  await mkdir(folder, { recursive: true })
  await Promise.all([
    copyFile(join(font, 'ttf/DejaVuSansCondensed.ttf'), join(folder, 'DejaVuSansCondensed.ttf')),
    copyFile(join(font, 'LICENSE'), join(folder, 'DejaVuSansCondensed.LICENSE')),
  ])
}

async function writeViewer(folder: string): Promise<void> {
  const { script, style } = await bundleGraphViewer()
  await mkdir(folder, { recursive: true })
  await Promise.all([writeFile(join(folder, 'viewer.js'), script), writeFile(join(folder, 'style.css'), style)])
}
