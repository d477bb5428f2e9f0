import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const sealAt = (path: string): string => `${path}.seal`
const isInUse = (path: string): boolean => existsSync(`${path}-wal`)

/**
 * Whether the cache at `path` is what its last user left: `sound`, `changed`, or `unknown` where somebody has it open,
 * or had when they died. SQLite finds a broken page; a flipped byte in a row it would hand out as it is. The file is
 * read only while nobody has it open: closing it again would take away the locks of a connection of this process.
 */
export function checkSeal(path: string): 'sound' | 'changed' | 'unknown' {
  if (isInUse(path) || !existsSync(path)) return 'unknown'
  const seal = readIfThere(sealAt(path))
  if (seal === undefined) return 'changed'
  const now = sealOf(path)
  return isInUse(path) ? 'unknown' : now === seal ? 'sound' : 'changed'
}

/** After the last connection was closed; where another one is open, its user seals the file. */
export function writeSeal(path: string): void {
  try {
    if (isInUse(path)) return
    const seal = sealOf(path)
    if (!isInUse(path) && seal !== readIfThere(sealAt(path))) writeFileSync(sealAt(path), seal, { mode: 0o600 })
  } catch {
    // Without a seal the cache is made again, no more.
  }
}

export const removeSeal = (path: string): void => rmSync(sealAt(path), { force: true })

function sealOf(path: string): string {
  const bytes = readFileSync(path)
  return `${statSync(path).size} ${crc32(bytes)}\n`
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
