import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Plain files in a folder and its subfolders. `readdirSync` with `recursive` would follow links out of the folder, and
 * in circles.
 */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** Total size of the files; 0 if the folder is missing or changes while it is read. */
export function bytesBelow(folder: string): number {
  try {
    return filesBelow(folder).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  } catch {
    return 0
  }
}
