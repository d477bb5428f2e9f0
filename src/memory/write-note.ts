import { join, relative } from 'node:path'
import { redactDeep } from '../core/secrets/redact-deep.ts'
import type { Documents } from '../ports/documents.ts'
import type { Memory } from '../ports/memory.ts'
import { indexBatch } from './index-batch.ts'
import type { QuickIndexParts } from './index-files.ts'
import { notesFolder, type IndexedFolder } from './indexed-folders.ts'

type Note = Parameters<Memory['write']>[0]

/** Appends a note, without its secrets, under a heading with the time; gives the file and the line of the heading. */
export function writeNote(
  { documents, home }: { readonly documents: Documents; readonly home: string },
  note: Note,
  now: Date,
): { path: string; line: number; redacted: number } {
  const { value, count } = redactDeep(note)
  const time = now.toISOString()
  const path = join(notesFolder(home), value.target === 'daily' ? `${time.slice(0, 10)}.md` : 'MEMORY.md')
  const tags = value.tags.length > 0 ? `tags: ${value.tags.join(', ')}\n` : ''
  // An empty line keeps it apart from the entry before.
  const line = documents.append(path, `\n## ${time}\n\n${tags}${value.content.trim()}\n`) + 1
  return { path, line, redacted: count }
}

/** Takes the file of a note into the index, as a file of the folder of notes. */
export async function indexNote(parts: QuickIndexParts, folder: IndexedFolder, path: string): Promise<void> {
  const stamp = parts.documents.stamp(path)
  if (stamp === undefined) return
  const place = { collection: folder.collection, path, ...stamp, ...folder.place(relative(folder.root, path)) }
  await indexBatch(parts, [{ place, knownHash: undefined }])
}
