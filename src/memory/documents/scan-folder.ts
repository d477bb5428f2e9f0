import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import type { FoundFile } from '../ports/documents.ts'

// Synchronous calls are several times faster than promises here; other work runs between folders.
const FOLDERS_AT_ONCE = 16
const SKIPPED_FOLDERS = new Set(['node_modules', 'vendor', '__pycache__'])

/**
 * Regular files below a folder. Hidden folders, symbolic links, test cases and unreadable files are skipped; empty if
 * there is no folder.
 */
export async function scanFolder(root: string, accepts: (relative: string) => boolean): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const real = realPath(root)
  if (real === undefined || isInTests(real)) return found
  const folders = ['']
  for (let visited = 0; folders.length > 0; visited++) {
    if (visited % FOLDERS_AT_ONCE === FOLDERS_AT_ONCE - 1) await setImmediate()
    const folder = folders.pop()!
    for (const entry of entriesOf(join(root, folder))) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name) && !isInTests(join(real, relative)))
          folders.push(relative)
      } else if (entry.isFile() && !entry.name.startsWith('.') && accepts(relative)) {
        const path = join(root, relative)
        const stat = statSync(path, { throwIfNoEntry: false })
        if (stat !== undefined) found.push({ path, relative, size: stat.size, mtime: stat.mtimeMs })
      }
    }
  }
  return found
}

function realPath(folder: string): string | undefined {
  try {
    return realpathSync.native(folder)
  } catch {
    return undefined
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM') return []
    throw error
  }
}
