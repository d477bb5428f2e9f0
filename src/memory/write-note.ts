import { join, relative } from 'node:path'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { EVERYBODY, type NoteOwner } from './domain/note/note-owner.ts'
import { noteSource } from './domain/note/note-source.ts'
import { indexBatch } from './index-batch.ts'
import type { QuickIndexParts } from './index-files.ts'
import { notesFolder, type IndexedFolder } from './indexed-folders.ts'
import type { Documents } from './ports/documents.ts'
import type { Memory } from './ports/memory.ts'
import { knownEntries } from './update-index.ts'

type Note = Parameters<Memory['write']>[0]

/** Appends a note, redacted, under a heading with the time; returns the file, the line of the heading and the owner. */
export function writeNote(
  { documents, home }: { readonly documents: Documents; readonly home: string },
  note: Note,
  now: Date,
): Awaited<ReturnType<Memory['write']>> {
  const { owner: named, ...said } = note
  const owner = isNoProject(named, home) ? EVERYBODY : named
  const { value, count } = redactDeep(said)
  const time = now.toISOString()
  const path = join(notesFolder(home), value.target === 'daily' ? `${time.slice(0, 10)}.md` : 'MEMORY.md')
  // An empty line separates the note from the previous entry.
  const entry = noteSource({ time, tags: value.tags, owner, content: value.content })
  return { path, line: documents.append(path, `\n${entry}`) + 1, redacted: count, owner }
}

/** Clients also start servers in `/` or in the user's home, which are not projects. */
function isNoProject(owner: NoteOwner, home: string): boolean {
  if (owner.kind !== 'folder') return false
  // A line break would end the line that names the owner.
  if (/[\r\n]/.test(owner.path)) return true
  const below = relative(owner.path, home)
  return below === '' || !/^(?:\.\.(?:[/\\]|$)|[/\\]|[A-Za-z]:)/.test(below)
}

/** Indexes the file of a note as part of the notes folder. */
export async function indexNote(parts: QuickIndexParts, folder: IndexedFolder, path: string): Promise<void> {
  const stamp = parts.documents.stamp(path)
  if (stamp === undefined) return
  const { collection } = folder
  const place = { collection, path, ...stamp, ...folder.place(relative(folder.root, path)) }
  const entries = knownEntries(await parts.index.documents({ collection })).get(path)
  await indexBatch(parts, [{ place, knownHash: undefined, knownEntries: entries }])
}
