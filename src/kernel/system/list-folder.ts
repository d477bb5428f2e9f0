import { readdir, stat } from 'node:fs/promises'
import { isAbsent } from './file-mark.ts'

/** Names in a folder, sorted; empty if it does not exist or may not be read. */
export async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return []
    throw error
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
