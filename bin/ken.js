#!/usr/bin/env node
// Plain JavaScript that any Node can parse: it finds a Node that can run Ken, then hands over.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED = [22, 18]
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

function nodeBeside() {
  try {
    const path = createRequire(import.meta.url).resolve('node/bin/node')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

if (isNewEnough(process.versions.node)) {
  // A clone runs its TypeScript as it is; the published package carries dist instead, because Node strips no types
  // below node_modules.
  const source = here('../src/app/main.ts')
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import(existsSync(source) ? '../src/app/main.ts' : '../dist/app/main.js')
} else {
  const newer = nodeBeside()
  if (newer === undefined || process.env.KEN_RELAUNCHED === '1') {
    process.stderr.write(
      `Ken needs Node ${NEEDED.join('.')} or newer; this is ${process.version}. Install Node 24 (https://nodejs.org) and run it again.\n`,
    )
    process.exit(1)
  }
  const { spawnSync } = await import('node:child_process')
  const ran = spawnSync(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, KEN_RELAUNCHED: '1' },
  })
  process.exit(ran.status ?? 1)
}
