import { execFileSync } from 'node:child_process'
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const NAME = 'ken-mutate-'

export interface CopiedTree {
  readonly folder: string
  /** Folder for files that suites write elsewhere and leave behind when killed. */
  readonly temporary: string
}

/** All tracked and untracked, unignored files, as paths below the root. */
export function filesOf(root: string): string[] {
  const words = ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  return listed.filter((path) => path !== '' && path !== 'node_modules' && existsSync(join(root, path)))
}

/** A copy of some files that is removed when this process exits; after a SIGKILL the next run removes it. */
export function copyTree(root: string, files: readonly string[]): CopiedTree {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(NAME))) removeIfLeft(join(tmpdir(), name))
  const place = mkdtempSync(join(tmpdir(), NAME))
  process.once('exit', () => remove(place))
  writeFileSync(join(place, 'owner'), `${hostname()} ${process.pid}`)
  // PostgreSQL does not run as root: its user needs access to its files.
  chmodSync(place, 0o711)
  const copy = { folder: join(place, 'tree'), temporary: join(place, 'tmp') }
  mkdirSync(copy.temporary)
  chmodSync(copy.temporary, 0o1777)
  for (const path of files) {
    mkdirSync(dirname(join(copy.folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(copy.folder, path), constants.COPYFILE_FICLONE)
  }
  // Links packages one by one: caches built from broken source must not be shared.
  mkdirSync(join(copy.folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.') || one === '.bin'))
    symlinkSync(join(root, 'node_modules', name), join(copy.folder, 'node_modules', name))
  return copy
}

function removeIfLeft(place: string): void {
  try {
    const [host, pid] = readFileSync(join(place, 'owner'), 'utf8').split(' ')
    if (host === hostname() && isGone(Number(pid))) remove(place)
  } catch {
    // Owned by another process.
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const remove = (place: string): void => rmSync(place, { recursive: true, force: true, maxRetries: 5 })
