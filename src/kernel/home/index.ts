import { appendFileSync, closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { HomeFiles, Trace } from '../ports/home-files.ts'
import { syncDirectory, writeAtomically } from '../system/atomic-file.ts'
import { isAbsent } from '../system/file-mark.ts'
import { filesBelow } from '../system/files-below.ts'

const CHUNK = 1 << 20

/** Finds and removes remains of forgotten content in Ken's folder. */
export function openHomeFiles(home: string): HomeFiles {
  return {
    async find(texts) {
      const wanted = texts.map((text) => ({ text, bytes: Buffer.from(text) })).filter(({ bytes }) => bytes.length > 0)
      const paths = filesBelow(home).sort()
      const buffer = Buffer.allocUnsafe(CHUNK + Math.max(0, ...wanted.map(({ bytes }) => bytes.length)))
      const traces: Trace[] = []
      for (const path of paths) {
        for (const text of textsIn(path, wanted, buffer)) traces.push({ text, path })
        await setImmediate()
      }
      return { searched: paths.length, traces }
    },
    async rewrite(path, edit) {
      const file = openSync(path, 'r')
      try {
        const before = readFrom(file, 0)
        const text = edit(before.toString('utf8'))
        if (text === '') rmSync(path)
        else writeAtomically(path, text)
        syncDirectory(dirname(path))
        // A process that opened the old file just before it was replaced may have appended to that file.
        const late = readFrom(file, before.length)
        if (late.length > 0) appendFileSync(path, late, { flush: true })
      } finally {
        closeSync(file)
      }
    },
  }
}

/** Returns those of the given texts that occur in a file. The buffer has room for a chunk and the longest text. */
function textsIn(path: string, wanted: readonly { text: string; bytes: Buffer }[], buffer: Buffer): string[] {
  const longest = buffer.length - CHUNK
  const found = new Set<string>()
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
  try {
    // A text may span two chunks, so the end of each chunk is kept in front of the next.
    for (let at = 0, kept = 0; ;) {
      const read = readSync(file, buffer, kept, CHUNK, at)
      if (read === 0) return [...found]
      const window = buffer.subarray(0, kept + read)
      for (const { text, bytes } of wanted) if (!found.has(text) && window.includes(bytes)) found.add(text)
      at += read
      kept = Math.min(window.length, longest)
      buffer.copyWithin(0, window.length - kept, window.length)
    }
  } finally {
    closeSync(file)
  }
}

function readFrom(file: number, from: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, fstatSync(file).size - from))
  let length = 0
  for (let read = -1; length < buffer.length && read !== 0; length += read) {
    read = readSync(file, buffer, length, buffer.length - length, from + length)
  }
  return buffer.subarray(0, length)
}
