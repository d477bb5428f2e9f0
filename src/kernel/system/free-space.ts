import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Free bytes on the disk that contains a folder, which need not exist; undefined if the system does not report it. */
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
