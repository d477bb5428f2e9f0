import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sourceMark } from '../scripts/source-mark.ts'
import { CACHE } from './run.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PROGRAMS = join(CACHE, 'programs')
const SCRIPTS = ['build-dist', 'bundle-cli', 'docs-site', 'graph-viewer', 'web-app'].map((name) => `scripts/${name}.ts`)
const SOURCES = ['bin', 'src', 'web', 'package.json', 'package-lock.json', ...SCRIPTS]
const HOURS_KEPT = 4
const LONGEST_BUILD_MS = 180_000
/** Files that the program reads beside its code. */
const BESIDE = ['.claude-plugin', 'integrations', 'models', 'package.json', 'server.json', 'CHANGELOG.md', 'LICENSE']

/**
 * `ken` as published, for every suite that starts it: starting from the source takes twice as long. It is built by the
 * first suite that needs it, and rebuilt only if the source has changed.
 */
export const KEN = builtKen()

function builtKen(): string {
  const folder = join(PROGRAMS, sourceMark(SOURCES))
  const ken = join(folder, 'bin/ken.js')
  if (existsSync(ken)) return ken
  const building = `${folder}.building`
  mkdirSync(PROGRAMS, { recursive: true })
  while (!begins(building)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    if (existsSync(ken)) return ken
  }
  try {
    return existsSync(ken) ? ken : build(folder)
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

/** False while another worker builds; a killed build is waited for only up to a limit. */
function begins(building: string): boolean {
  try {
    mkdirSync(building)
    return true
  } catch {
    const begun = statSync(building, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - begun > LONGEST_BUILD_MS) rmSync(building, { recursive: true, force: true })
    return false
  }
}

function build(folder: string): string {
  const ken = join(folder, 'bin/ken.js')
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  cpSync(join(ROOT, 'bin'), join(fresh, 'bin'), { recursive: true })
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(fresh, name))
  const script = `import { buildDist } from ${JSON.stringify(join(ROOT, 'scripts/build-dist.ts'))}; await buildDist(process.argv[1])`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, join(fresh, 'dist')], { cwd: ROOT })
  renameSync(fresh, folder)
  for (const name of readdirSync(PROGRAMS)) {
    const other = join(PROGRAMS, name)
    // Another run may still start a recent build.
    const built = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (other !== folder && Date.now() - built > HOURS_KEPT * 3_600_000) rmSync(other, { recursive: true, force: true })
  }
  return ken
}
