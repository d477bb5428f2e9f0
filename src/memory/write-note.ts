import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface Note {
  readonly content: string
  readonly target: 'daily' | 'memory'
  readonly tags: readonly string[]
}

/** Appends a note under a heading with the time, and gives the file and the line it begins at. */
export function writeNote(folder: string, note: Note, now: Date): { path: string; line: number } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, note.target === 'daily' ? `${now.toISOString().slice(0, 10)}.md` : 'MEMORY.md')
  const tags = note.tags.length > 0 ? `tags: ${note.tags.join(', ')}\n` : ''
  const entry = `\n## ${now.toISOString()}\n\n${tags}${note.content.trim()}\n`
  const file = openSync(path, 'a', 0o600)
  try {
    // One write at the end of the file: two processes never mix their entries.
    writeSync(file, Buffer.from(entry))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const before = readFileSync(path, 'utf8').lastIndexOf(entry)
  return { path, line: lineAt(readFileSync(path, 'utf8'), before + 1) }
}

const lineAt = (text: string, offset: number): number => text.slice(0, Math.max(0, offset)).split('\n').length
