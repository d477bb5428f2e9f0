import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../kernel/domain/errors.ts'
import { openBoundedFolder, type BoundedFolder } from '../../../kernel/system/bounded-folder.ts'
import { readPlainFile } from '../../../kernel/system/plain-file.ts'
import { readablePath } from '../../domain/record-path.ts'
import { LARGEST_TEXT, decode } from '../record-text.ts'
import { isAbsent, toRecordFailure } from './record-failure.ts'

const PAUSE_EVERY = 256
const LARGEST_LOG = 256 * 1024 * 1024

/** The folder of a record: every path below it is checked before use. */
export interface RecordFolder {
  /** The real path of the folder. */
  readonly root: string
  /** The only access to single files in it: no path leaves the folder or passes through a link. */
  readonly files: BoundedFolder
  /** Exact bytes; undefined if there is no regular file of that name. */
  readBytes(path: string): Promise<Buffer | undefined>
  readText(path: string): Promise<string | undefined>
  /** Reads many files that were just listed, checking their folders for links once; unreadable ones are left out. */
  readListed(paths: Iterable<string>): AsyncGenerator<[path: string, bytes: Buffer]>
  /**
   * Sorted names of the regular files in a record folder that end in `ending`; anything behind a symbolic link is left
   * out.
   */
  names(folder: Folder, ending: string): Promise<string[]>
  /** Every Markdown record file: those at the root, then decisions/, then context/; each sorted. */
  list(): Promise<string[]>
}

type Folder = '' | 'decisions' | 'context' | 'snapshots'

/**
 * `guarded` is the number of trailing path segments that must not be symbolic links: in a clone they came with the
 * repository.
 */
export async function openRecordFolder(path: string, guarded: number): Promise<RecordFolder> {
  const root = await realRoot(path, guarded)

  const files = openBoundedFolder(root)

  async function readBytes(relative: string): Promise<Buffer | undefined> {
    try {
      return files.read(readablePath(relative), /\.(?:md|json)$/.test(relative) ? LARGEST_TEXT : LARGEST_LOG)
    } catch (error) {
      throw toRecordFailure(error, `read ${relative}`)
    }
  }

  async function names(inside: Folder, ending: string): Promise<string[]> {
    try {
      return files
        .entries(inside)
        .filter((f) => f.isFile() && f.name.endsWith(ending) && !f.name.startsWith('.'))
        .map((f) => f.name)
        .sort()
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') return []
      throw toRecordFailure(error, `list ${inside || 'the record'}`)
    }
  }

  return {
    root,
    files,
    readBytes,
    async readText(relative) {
      const bytes = await readBytes(relative)
      return bytes && decode(bytes, relative)
    },
    async *readListed(paths) {
      let read = 0
      const folders = new Map<string, boolean>()
      for (const path of paths) {
        const folder = dirname(path)
        if (!folders.has(folder)) folders.set(folder, folder === '.' || isReal(files, folder))
        const bytes = folders.get(folder) ? readPlainFile(join(root, path), LARGEST_TEXT) : undefined
        if (bytes !== undefined) yield [path, bytes]
        if (++read % PAUSE_EVERY === 0) await setImmediate()
      }
    },
    names,
    async list() {
      const [own, decisions, context] = await Promise.all([
        names('', '.md'),
        names('decisions', '.md'),
        names('context', '.md'),
      ])
      return [...own, ...decisions.map((name) => `decisions/${name}`), ...context.map((name) => `context/${name}`)]
    },
  }
}

async function realRoot(path: string, guarded: number): Promise<string> {
  try {
    for (let at = resolve(path), depth = 0; depth < guarded; at = dirname(at), depth++)
      await refuseLink(at, basename(at))
    const root = await realPathOf(resolve(path))
    await refuseFile(root)
    return root
  } catch (error) {
    throw toRecordFailure(error, `open the record at ${path}`)
  }
}

/** A new record has no folder yet; the existing part of its path is resolved. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) throw error
    return join(await realPathOf(dirname(path)), basename(path))
  }
}

async function refuseFile(root: string): Promise<void> {
  try {
    if ((await lstat(root)).isDirectory()) return
  } catch (error) {
    if (isAbsent(error)) return
    throw error
  }
  throw new AppError('damaged', `${root} is not a folder`, { hint: 'Move that file away: a record is a folder.' })
}

async function refuseLink(absolute: string, shown: string): Promise<void> {
  try {
    if (!(await lstat(absolute)).isSymbolicLink()) return
  } catch (error) {
    if (isAbsent(error)) return
    throw error
  }
  throw new AppError('forbidden', `${shown} goes through a symbolic link`, {
    hint: 'Replace the link by a real file or folder; the record follows no links.',
  })
}

function isReal(files: BoundedFolder, folder: string): boolean {
  try {
    files.locate(folder)
    return true
  } catch {
    return false
  }
}
