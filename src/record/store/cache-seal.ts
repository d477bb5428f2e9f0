import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const sealAt = (path: string): string => `${path}.seal`
const isInUse = (path: string): boolean => existsSync(`${path}-wal`)

/**
 * Whether the cache at `path` is as its last user left it: `sound`, `changed`, or `unknown` if a process has it open or
 * died with it open. SQLite detects a broken page, but would return a flipped byte in a row. The file is read only
 * while no process has it open: closing it again would release the locks of a connection of this process.
 */
export function checkSeal(path: string): 'sound' | 'changed' | 'unknown' {
  if (isInUse(path) || !existsSync(path)) return 'unknown'
  const seal = readIfThere(sealAt(path))
  if (seal === undefined) return 'changed'
  const now = sealOf(path)
  return isInUse(path) ? 'unknown' : now === seal ? 'sound' : 'changed'
}

/** After the last connection was closed; if another one is open, its user seals the file. */
export function writeSeal(path: string): void {
  try {
    if (isInUse(path)) return
    const seal = sealOf(path)
    if (!isInUse(path) && seal !== readIfThere(sealAt(path))) writeFileSync(sealAt(path), seal, { mode: 0o600 })
  } catch {
    // Without a seal the cache is only rebuilt.
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
