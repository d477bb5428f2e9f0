import type { DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'
import { stateFacts } from '../document/document-facts.ts'
import { noteEntries, noteEntry, type NoteEntry } from './note-entries.ts'
import { placeOfOwner, readOwnerLine } from './note-owner.ts'

/** The notes in a file that have text, each with everything the index is made from. */
export function notesIn(text: string): { readonly entry: string; readonly source: string }[] {
  const shared = sharedTags(text).join(',')
  return noteEntries(text)
    .filter(({ hasText }) => hasText)
    .map(({ name, text: own }) => ({ entry: name, source: `${shared}\n${own}` }))
}

/** The text of one note, without its owner line, which is not searched. */
export function noteText(text: string, entry: string): string {
  const note = noteEntry(text, entry)
  if (note?.owner === undefined) return note?.text ?? ''
  const lines = note.text.split('\n')
  const owner = lines.findIndex((line) => readOwnerLine(line.trimEnd()) !== undefined)
  return lines.with(owner, '').join('\n')
}

/** Title, tags, time and owner of a note. */
export function noteFacts(
  text: string,
  { path, entry, mtime }: { readonly path: string; readonly entry: string; readonly mtime: number },
): Pick<DocumentFacts, 'title' | 'tags' | 'modified' | 'workspace' | 'project'> {
  const note = noteEntry(text, entry)
  return {
    title: note?.title ?? '',
    tags: [...new Set([...sharedTags(text), ...(note?.tags ?? [])])],
    modified: (note && timeOf(note, path)) ?? Math.round(mtime),
    ...placeOfOwner(note?.owner),
  }
}

/** Tags in the frontmatter, which apply to the whole file. */
const sharedTags = (text: string): readonly string[] =>
  text.startsWith('---') ? stateFacts(text, { isProse: false }).tags : []

/** Time of a note; in a daily file, that day if the note has no date. */
function timeOf({ at, heading }: NoteEntry, path: string): number | undefined {
  if (at !== undefined) return at
  const day = /(\d{4}-\d\d-\d\d)\.\w+$/.exec(path)?.[1]
  const clock = /^(\d{1,2}):(\d\d)/.exec(heading)
  const time = Date.parse(`${day}T${clock === null ? '00:00' : `${clock[1]!.padStart(2, '0')}:${clock[2]}`}Z`)
  return Number.isFinite(time) ? time : undefined
}
