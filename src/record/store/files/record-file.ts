import { lstatSync } from 'node:fs'
import type { BoundedFolder } from '../../../kernel/system/bounded-folder.ts'

/**
 * Identifies the version of a file: a different time, size or inode means a different text. `link` and `special` (a
 * pipe, socket or device) are not read.
 */
export function stampOf(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (found.isFile()) return `${found.mtimeNs}.${found.size}.${found.ino}`
  if (found.isDirectory()) return undefined
  return found.isSymbolicLink() ? 'link' : 'special'
}

export const sizeIn = (stamp: string): number => Number(stamp.split('.')[1])

export const TAIL = 65_536

interface FileEnd {
  readonly size: number
  /**
   * False if the last line was interrupted, or edited by hand without its line end: the next line must not be joined to
   * it.
   */
  readonly closed: boolean
  /** The last bytes as text, at most TAIL of them. */
  readonly tail: string
  /** The bytes of the last line; undefined if it is longer than TAIL, or there is none. */
  readonly lastLine: Buffer | undefined
}

export function endOf(files: BoundedFolder, path: string): FileEnd {
  const size = files.stat(path)?.size ?? 0
  const tail = files.readPart(path, Math.max(0, size - TAIL), TAIL) ?? Buffer.alloc(0)
  return {
    size,
    closed: size === 0 || tail.at(-1) === 0x0a,
    tail: tail.toString('utf8'),
    lastLine: lastLineOf(tail, size),
  }
}

function lastLineOf(tail: Buffer, size: number): Buffer | undefined {
  const end = tail.at(-1) === 0x0a ? tail.length - 1 : tail.length
  const start = end === 0 ? -1 : tail.lastIndexOf(0x0a, end - 1)
  return end === 0 || (start < 0 && size > tail.length) ? undefined : tail.subarray(start + 1, end)
}
