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

/**
 * Appends a note, without its secrets, under a heading with the time; gives the file, the line of the heading and whose
 * the note is.
 */
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
  // An empty line keeps it apart from the entry before.
  const entry = noteSource({ time, tags: value.tags, owner, content: value.content })
  return { path, line: documents.append(path, `\n${entry}`) + 1, redacted: count, owner }
}

/** Clients start servers in `/` or in the home of the user as well: that is no project. */
function isNoProject(owner: NoteOwner, home: string): boolean {
  if (owner.kind !== 'folder') return false
  // What a line cannot hold would end it.
  if (/[\r\n]/.test(owner.path)) return true
  const below = relative(owner.path, home)
  return below === '' || !/^(?:\.\.(?:[/\\]|$)|[/\\]|[A-Za-z]:)/.test(below)
}

/** Takes the file of a note into the index, as a file of the folder of notes. */
export async function indexNote(parts: QuickIndexParts, folder: IndexedFolder, path: string): Promise<void> {
  const stamp = parts.documents.stamp(path)
  if (stamp === undefined) return
  const { collection } = folder
  const place = { collection, path, ...stamp, ...folder.place(relative(folder.root, path)) }
  const entries = knownEntries(await parts.index.documents({ collection })).get(path)
  await indexBatch(parts, [{ place, knownHash: undefined, knownEntries: entries }])
}
