import type { BoundedFolder } from '../bounded-folder.ts'

export const TAIL = 65_536

export interface FileEnd {
  readonly size: number
  /** False when the last line was cut off, or written by hand without its line end: the next line must not run into it. */
  readonly closed: boolean
  /** The last bytes as text, at most TAIL of them. */
  readonly tail: string
}

export function endOf(files: BoundedFolder, path: string): FileEnd {
  const size = files.stat(path)?.size ?? 0
  const tail = files.readPart(path, Math.max(0, size - TAIL), TAIL) ?? Buffer.alloc(0)
  return { size, closed: size === 0 || tail.at(-1) === 0x0a, tail: tail.toString('utf8') }
}
