import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Bytes that may still be written to the disk of a folder, made or not; undefined where the system does not tell. */
export function freeSpace(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(folder))
    return bavail * bsize
  } catch {
    return undefined
  }
}

const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
