import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Dirent,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { AppError } from '../domain/errors.ts'

/**
 * Folder with untrusted content. Every path is relative with forward slashes and stays inside. A link at any part of
 * it, or anything but a plain file if a file is expected, throws `forbidden`. All methods are synchronous: while a lock
 * is held nothing may depend on a wake-up of the event loop. A wake-up lost by a virtual machine's io_uring left a
 * writer holding the lock forever.
 */
export interface BoundedFolder {
  /** Real path of the folder. */
  readonly root: string
  /** The absolute path, after checking that no existing part of it is a link. */
  locate(path: string): string
  /** Undefined if the file does not exist. A file larger than `most` bytes throws `damaged`. */
  read(path: string, most?: number): Buffer | undefined
  /** `length` bytes from `offset`, or fewer at the end of the file; undefined if it is missing. */
  readPart(path: string, offset: number, length: number): Buffer | undefined
  /** Undefined if the path does not exist. */
  stat(path: string): { readonly size: number; readonly mode: number } | undefined
  /** Entries of a folder; empty if it does not exist. */
  entries(path: string): Dirent[]
  /** Creates a new file and its folders, synced to disk on return. */
  create(path: string, data: string | Uint8Array, mode?: number): void
  /** Appends text at `offset`, which must be the end of the file; synced to disk on return. */
  append(path: string, offset: number, text: string): void
  /** Shortens a file to `size`. */
  cut(path: string, size: number): void
  /** Replaces `to`; `from` must be a plain file. Returns false if `from` does not exist. */
  move(from: string, to: string): boolean
  /** Creates a hard link; false if the file does not exist. */
  link(from: string, to: string): boolean
  remove(path: string): void
  makeFolder(path: string): void
  /** Syncs a folder, without which a new name or a rename is not durable. A missing folder is ignored. */
  sync(folder: string): void
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
const MOST = 512 * 1024 * 1024
// Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
const PLAIN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const READ = constants.O_RDONLY | PLAIN
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | PLAIN
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | PLAIN
const WRITE = constants.O_WRONLY | PLAIN

/** `root` is a real path: the caller must check the folders above it. */
export function openBoundedFolder(root: string): BoundedFolder {
  function locate(path: string): string {
    const parts = path.split('/')
    if (
      path.includes('\\') ||
      path.includes('\0') ||
      parts.some((part) => part === '' || part === '.' || part === '..')
    )
      throw outside(path)
    let at = root
    for (const part of parts) {
      at = `${at}${sep}${part}`
      const found = lstatSync(at, { throwIfNoEntry: false })
      if (found === undefined) return join(root, ...parts)
      if (found.isSymbolicLink()) throw linked(path)
    }
    return at
  }

  /** Checks before and again after opening, to detect a part swapped for a link in between. */
  function using<T>(path: string, flags: number, use: (file: number, size: number) => T, mode?: number): T {
    const place = locate(path)
    // A socket cannot be opened, and opening a device may have an effect.
    if (lstatSync(place, { throwIfNoEntry: false })?.isFile() === false) throw notPlain(path)
    const file = openSync(place, flags, mode)
    try {
      const opened = fstatSync(file)
      const named = lstatSync(locate(path), { throwIfNoEntry: false })
      if (!opened.isFile()) throw notPlain(path)
      if (named?.ino !== opened.ino) throw linked(path)
      return use(file, opened.size)
    } finally {
      closeSync(file)
    }
  }

  const unlessAbsent = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Creates the root and its parent folders, synced to disk on return. */
  const makeRoot = (): void => {
    const first = mkdirSync(root, { recursive: true })
    if (first !== undefined) syncFolder(dirname(first))
  }

  const makeFolder = (path: string): void => {
    makeRoot()
    const parts = path.split('/')
    for (const [i] of parts.entries()) {
      const part = parts.slice(0, i + 1).join('/')
      const place = locate(part)
      if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) continue
      mkdirSync(place)
      syncFolder(dirname(place))
    }
  }

  const makeParent = (path: string): void =>
    path.includes('/') ? makeFolder(path.slice(0, path.lastIndexOf('/'))) : makeRoot()

  /** Path of a plain file; only such a file may be renamed, linked or removed. */
  const plain = (path: string): string | undefined => {
    const place = locate(path)
    const found = lstatSync(place, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isFile()) throw notPlain(path)
    return place
  }

  function create(path: string, data: string | Uint8Array, mode?: number): void {
    makeParent(path)
    using(path, CREATE, (file) => {
      writeFileSync(file, data)
      if (mode !== undefined) fchmodSync(file, mode)
      fsyncSync(file)
    })
  }

  return {
    root,
    locate,
    read: (path, most = MOST) =>
      unlessAbsent(() => using(path, READ, (file, size) => (size > most ? tooLarge(path, most) : readFileSync(file)))),
    readPart: (path, offset, length) =>
      unlessAbsent(() =>
        using(path, READ, (file, size) => {
          const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
          return buffer.subarray(0, buffer.length === 0 ? 0 : readSync(file, buffer, 0, buffer.length, offset))
        }),
      ),
    stat(path) {
      const place = plain(path)
      return place === undefined ? undefined : lstatSync(place)
    },
    entries: (path) =>
      unlessAbsent(() => readdirSync(path === '' ? root : locate(path), { withFileTypes: true })) ?? [],
    create,
    append(path, offset, text) {
      makeParent(path)
      using(path, APPEND, (file, size) => {
        if (size !== offset)
          throw new AppError('conflict', `${path} was changed by another program just now.`, {
            hint: 'Nothing was recorded; try again.',
          })
        writeFileSync(file, text)
        fsyncSync(file)
      })
    },
    cut(path, size) {
      using(path, WRITE, (file) => {
        ftruncateSync(file, size)
        fsyncSync(file)
      })
    },
    move(from, to) {
      const place = plain(from)
      if (place === undefined) return false
      plain(to)
      renameSync(place, locate(to))
      return true
    },
    link(from, to) {
      const place = plain(from)
      if (place === undefined) return false
      try {
        linkSync(place, locate(to))
      } catch (error) {
        if (!NO_HARD_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
        create(to, readFileSync(place))
      }
      return true
    },
    remove(path) {
      const place = plain(path)
      if (place !== undefined) rmSync(place, { force: true })
    },
    makeFolder,
    sync: (folder) => void unlessAbsent(() => syncFolder(folder === '' ? root : locate(folder))),
  }
}

/** Windows cannot sync a folder, and need not. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0))
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const outside = (path: string): AppError =>
  new AppError('forbidden', `${JSON.stringify(path)} is not a path inside this folder.`, {
    hint: 'Use a relative path such as decisions/042-use-postgres.md.',
  })

const linked = (path: string): AppError =>
  new AppError('forbidden', `${path} goes through a symbolic link`, {
    hint: 'Replace the link by a real file or folder; the record follows no links.',
  })

const notPlain = (path: string): AppError =>
  new AppError('forbidden', `${path} is not a plain file`, { hint: 'Move it away, or put a plain file there.' })

function tooLarge(path: string, most: number): never {
  throw new AppError('damaged', `${path} is larger than ${Math.round(most / 1024 / 1024)} MB`, {
    hint: 'Shorten it or move it away: Ken never writes files this large.',
  })
}
