import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

const GROUP_AND_OTHERS = 0o077
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** Creates Ken's home, or restricts one that is readable by others. It contains sessions, tokens and settings. */
export function ownHome(home: string, warn: (message: string) => void): void {
  const isNew = mkdirSync(home, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew && isInRepository(home)) writeFileSync(join(home, '.gitignore'), '*\n', { flag: 'wx' })
  const me = process.getuid?.()
  // Windows uses access lists, which a home inherits from its profile.
  if (me === undefined) return
  const found = statSync(home)
  if (found.uid !== me) {
    if (isOpen(found))
      warn(`${home} belongs to another user, and others may look into it. Set KEN_HOME to a folder of your own.`)
  } else {
    if (isOpen(found)) close(home, found, 0o700, warn)
    closeFiles(home, me, warn)
  }
  const exposed = parents(home).find((folder) => canBeReplacedIn(folder, me))
  if (exposed !== undefined)
    warn(
      `Others may rename what lies in ${exposed}, so they could put another folder in the place of ${home}. Take that right away, or set KEN_HOME to a folder elsewhere.`,
    )
}

/**
 * Restricts the permissions of files written earlier by a tool or a copy. Links are skipped: Ken must not change their
 * targets.
 */
function closeFiles(home: string, me: number, warn: (message: string) => void): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.uid !== me || !isOpen(found)) continue
    if (found.isFile()) close(path, found, 0o600, warn)
    else if (found.isDirectory()) close(path, found, 0o700, warn)
  }
}

function close(path: string, found: Stats, mode: number, warn: (message: string) => void): void {
  try {
    chmodSync(path, mode)
    if (!isOpen(statSync(path))) return
  } catch {
    // Reported below, like a file system that accepts the change but keeps the old mode.
  }
  warn(
    `Others may look into ${path} (its mode is ${(found.mode & 0o777).toString(8)}), and it cannot be closed. Move Ken's home to a disk that keeps rights, with KEN_HOME.`,
  )
}

const isOpen = ({ mode }: Stats): boolean => (mode & GROUP_AND_OTHERS) !== 0

function canBeReplacedIn(folder: string, me: number): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return false
  return (found.mode & OTHERS_WRITE) !== 0 && (found.mode & STICKY) === 0 && (found.uid === me || found.uid === 0)
}

function parents(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...parents(above)]
}

const isInRepository = (home: string): boolean => parents(home).some((folder) => existsSync(join(folder, '.git')))
