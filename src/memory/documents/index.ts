import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeSync,
  readdirSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { READ_PLAIN, readPlainFile } from '../../kernel/system/plain-file.ts'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import type { Documents, OpenDocuments, FoundFile } from '../ports/documents.ts'
import { scanCode } from './scan-code.ts'

/** Larger files are logs and dumps. */
const LARGEST_FILE = 8 * 1024 * 1024
const TEXT_PROBE = 8192

/** The files on this disk that the memory indexes. Links are not followed, and only plain files are read. */
export const openDocuments: OpenDocuments = () => ({
  module: import.meta.url,
  scanFolder: async (root, accepts) =>
    isListed(root) ? { files: await scanFolder(root, accepts), overBudget: [] } : MISSING,
  scanCode: async (root, limits) => (isListed(root) ? scanCode(root, limits) : MISSING),
  contents,
  text({ path, origin }) {
    if ((origin === 'code' && !isReal(path)) || isInTests(path)) return undefined
    const bytes = readPlainFile(path, LARGEST_FILE)
    return bytes && decode(bytes)
  },
  stamp(path) {
    const stat = isInTests(path) ? undefined : statSync(path, { throwIfNoEntry: false })
    return stat && { size: stat.size, mtime: stat.mtimeMs }
  },
  append,
})

/** UTF-16, which some editors on Windows write, is detected by its first two bytes. */
const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

function decode(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  return encoding === 'utf-8' ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes)
}

const MISSING = { files: [], overBudget: [], isMissing: true }

function isListed(folder: string): boolean {
  try {
    opendirSync(folder).closeSync()
    return true
  } catch {
    return false
  }
}

function contents(path: string): ReturnType<Documents['contents']> {
  if (isInTests(path)) return { reason: 'it holds test cases' }
  try {
    const file = openSync(path, READ_PLAIN)
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) return { reason: 'not a plain file' }
      if (stat.size > LARGEST_FILE) return { reason: `larger than ${LARGEST_FILE / 1024 / 1024} MB` }
      const bytes = readFileSync(file)
      if (encodingOf(bytes) === 'utf-8' && bytes.subarray(0, TEXT_PROBE).includes(0)) return { reason: 'not text' }
      return { text: decode(bytes), hash: createHash('sha256').update(bytes).digest('hex') }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    return { reason: code === 'EACCES' || code === 'EPERM' ? 'may not be read' : `cannot be read (${code})` }
  }
}

function isReal(path: string): boolean {
  try {
    return realpathSync(path) === path
  } catch {
    return false
  }
}

function append(path: string, text: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a', 0o600)
  try {
    // One write at the end of the file: two processes never mix their entries.
    writeSync(file, Buffer.from(text))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const whole = readFileSync(path, 'utf8')
  return whole.slice(0, Math.max(0, whole.lastIndexOf(text))).split('\n').length
}

// Folders read before other work may run: synchronous calls are several times faster than promises here.
const FOLDERS_AT_ONCE = 16
const SKIPPED_FOLDERS = new Set(['node_modules', 'vendor', '__pycache__'])

/** Regular files below a folder. Hidden folders, symbolic links, test cases and unreadable files are skipped. */
async function scanFolder(root: string, accepts: (relative: string) => boolean): Promise<FoundFile[]> {
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
