/** Builds the package contents into `dist`: the program, and the types of `kenbase/core`. */
import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildDist } from './build-dist.ts'
import { thirdPartyLicences } from './third-party-licences.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

await rm(DIST, { recursive: true, force: true })
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES'), await thirdPartyLicences(await buildDist(DIST)))
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
})
