import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'

/** State of a file remembered between two harvests. */
export interface FileMark {
  /** Device and inode; a new value means a different file with the same name. */
  readonly file: string
  readonly size: number
  readonly mtime: string
  /** Hash of the first bytes, at most to the last complete line. */
  readonly head: string
  /** Byte offset after the last complete line that was read; null for files without lines. */
  readonly offset: number | null
}

export type FileStat = Pick<FileMark, 'file' | 'size' | 'mtime'>

const HEAD = 4096
const CHUNK = 1 << 16

/** Undefined if there is no regular file of that name. */
export async function statFile(path: string): Promise<FileStat | undefined> {
  try {
    const found = await stat(path, { bigint: true })
    return found.isFile()
      ? { file: `${found.dev}:${found.ino}`, size: Number(found.size), mtime: String(found.mtimeNs) }
      : undefined
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

export async function markFile(path: string, now: FileStat, offset: number | null): Promise<FileMark> {
  return { ...now, offset, head: offset === null ? '' : await headHash(path, offset) }
}

/** False if there is nothing new to read: the file is unchanged, or only its partial last line has grown. */
export async function hasNews(path: string, now: FileStat, before: FileMark): Promise<boolean> {
  if (now.file === before.file && now.size === before.size && now.mtime === before.mtime) return false
  if (before.offset === null || now.file !== before.file || now.size <= before.size) return true
  if ((await headHash(path, before.offset)) !== before.head) return true
  return hasNewline(path, before.offset)
}

export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

async function headHash(path: string, offset: number): Promise<string> {
  const length = Math.min(HEAD, offset)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex').slice(0, 16)
  } finally {
    await file.close()
  }
}

async function hasNewline(path: string, from: number): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(CHUNK)
    for (let at = from; ;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at)
      if (bytesRead === 0) return false
      if (buffer.subarray(0, bytesRead).includes(0x0a)) return true
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}
