import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Replaces a file atomically: after a crash, and for any reader, it has either the old text or the new one. Keeps the
 * old file's mode unless a mode is given.
 */
export function writeAtomically(path: string, text: string | Uint8Array, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  const bits = mode ?? statSync(path, { throwIfNoEntry: false })?.mode
  try {
    const file = openSync(temporary, 'wx', mode ?? 0o666)
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (bits !== undefined) chmodSync(temporary, bits & 0o7777)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** Makes a rename or a new name survive a power cut. Some file systems do not support this, which is ignored. */
export function syncDirectory(path: string): void {
  let directory: number | undefined
  try {
    directory = openSync(path, 'r')
    fsyncSync(directory)
  } catch {
    // Windows and some network file systems cannot sync a directory.
  } finally {
    if (directory !== undefined) closeSync(directory)
  }
}
