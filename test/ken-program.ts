import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sourceMark } from '../scripts/source-mark.ts'
import { CACHE } from './run.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PROGRAMS = join(CACHE, 'programs')
const SCRIPTS = ['build-dist', 'bundle-cli', 'graph-viewer', 'web-app'].map((name) => `scripts/${name}.ts`)
const SOURCES = ['bin', 'src', 'web', 'package.json', 'package-lock.json', ...SCRIPTS]
const HOURS_KEPT = 4
/** What the program reads beside its code. */
const BESIDE = ['.claude-plugin', 'integrations', 'models', 'package.json', 'server.json', 'CHANGELOG.md', 'LICENSE']

/**
 * `ken` as it is published, for every suite that starts it: from the source it takes twice as long to start. It is built
 * by the first suite that needs it, and again only when the source has changed.
 */
export const KEN = builtKen()

function builtKen(): string {
  const folder = join(PROGRAMS, sourceMark(SOURCES))
  const ken = join(folder, 'bin/ken.js')
  if (existsSync(ken)) return ken
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  cpSync(join(ROOT, 'bin'), join(fresh, 'bin'), { recursive: true })
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(fresh, name))
  const build = `import { buildDist } from ${JSON.stringify(join(ROOT, 'scripts/build-dist.ts'))}; await buildDist(process.argv[1])`
  execFileSync(process.execPath, ['--input-type=module', '--eval', build, join(fresh, 'dist')], { cwd: ROOT })
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another worker was faster.
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(ken)) throw error
  }
  for (const name of readdirSync(PROGRAMS)) {
    const other = join(PROGRAMS, name)
    // Another run may still start a younger one.
    if (other !== folder && Date.now() - statSync(other).mtimeMs > HOURS_KEPT * 3_600_000)
      rmSync(other, { recursive: true, force: true })
  }
  return ken
}
