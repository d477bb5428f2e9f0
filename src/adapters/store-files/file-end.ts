import { open } from 'node:fs/promises'
import { isAbsent } from './fs-failure.ts'

export const TAIL = 65_536

export interface FileEnd {
  readonly size: number
  /** False when the last line was cut off, or written by hand without its line end: the next line must not run into it. */
  readonly closed: boolean
  /** The last bytes as text, at most TAIL of them. */
  readonly tail: string
  /** The bytes of the last line; undefined when it is longer than TAIL, or there is none. */
  readonly lastLine: Buffer | undefined
}

export async function endOf(path: string): Promise<FileEnd> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const length = Math.min(size, TAIL)
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return { size, closed: size === 0 || buffer.at(-1) === 0x0a, tail: buffer.toString('utf8'), lastLine: lastLineOf(buffer, size) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return { size: 0, closed: true, tail: '', lastLine: undefined }
    throw error
  }
}

function lastLineOf(tail: Buffer, size: number): Buffer | undefined {
  const end = tail.at(-1) === 0x0a ? tail.length - 1 : tail.length
  const start = end === 0 ? -1 : tail.lastIndexOf(0x0a, end - 1)
  return end === 0 || (start < 0 && size > tail.length) ? undefined : tail.subarray(start + 1, end)
}
