import { redactPart } from '../kernel/domain/secrets/redact-part.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { readLines } from '../kernel/domain/text/text-lines.ts'
import { scopeFilter, type SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import { HIDDEN_NOTE, noteEntries, type NoteEntry } from './domain/note/note-entries.ts'
import { placeOfOwner } from './domain/note/note-owner.ts'
import type { Documents } from './ports/documents.ts'
import type { LineSpan, MemoryText } from './ports/memory.ts'
import type { StoredDocument } from './ports/search-index.ts'

export interface PartWanted {
  /** 1-based line of the file. */
  readonly from?: number | undefined
  readonly lines?: number | undefined
  readonly within: SearchScope['within']
}

/**
 * Returns some lines of a document's file, and which lines to read next. The whole file is redacted first. Defaults to
 * the lines of the note. Undefined if the file can no longer be read, or the note does not exist.
 */
export function readPart(
  documents: Pick<Documents, 'text'>,
  document: StoredDocument,
  { from, lines: most, within }: PartWanted,
): MemoryText | undefined {
  const text = documents.text(document)
  if (text === undefined) return undefined
  const lines = readLines(text)
  const notes = document.origin === 'note' ? notesOf(text, document.entry) : []
  const own = notes.find(({ name }) => name === document.entry)
  if (document.entry !== undefined && own === undefined) return undefined
  const isWhole = own !== undefined && from === undefined
  const note = own && spanOf(own)
  const first = Math.min(Math.max(1, from ?? note?.from ?? 1), Math.max(1, lines.count))
  const last = Math.min(isWhole ? note!.to : lines.count, first - 1 + (most ?? Infinity))
  const clean = redactPart(text, lines.start(first - 1), lines.start(last))
  const seen = { first, last, count: lines.count }
  return {
    id: document.key,
    path: document.path,
    title: document.title,
    origin: document.origin,
    trust: document.trust,
    text: withoutOthers(clean, first, hiddenNotes(notes, document, within)),
    startLine: first,
    endLine: last,
    totalLines: lines.count,
    ...(isWhole && last === note!.to ? noteNeighbours(notes, own) : neighbours(seen)),
  }
}

/** Notes by their names in the index, which come from the redacted text and differ if a heading contains a secret. */
function notesOf(text: string, wanted: string | undefined): readonly NoteEntry[] {
  const notes = noteEntries(text)
  const isThere = wanted === undefined || notes.some(({ name }) => name === wanted)
  return isThere ? notes : noteEntries(redactSecrets(text).text)
}

const spanOf = ({ line, text }: NoteEntry): LineSpan => ({
  from: line,
  to: line + readLines(text.trimEnd()).count - 1,
})

function noteNeighbours(notes: readonly NoteEntry[], own: NoteEntry): Pick<MemoryText, 'before' | 'after'> {
  const at = notes.indexOf(own)
  const [before, after] = [notes[at - 1], notes[at + 1]]
  return { before: before && spanOf(before), after: after && spanOf(after) }
}

// Further lines are offered in pieces of the size read, none too small to be worth a call.
const LEAST_NEXT = 20
const MOST_NEXT = 80

function neighbours({
  first,
  last,
  count,
}: {
  first: number
  last: number
  count: number
}): Pick<MemoryText, 'before' | 'after'> {
  const some = Math.min(MOST_NEXT, Math.max(LEAST_NEXT, last - first + 1))
  return {
    before: first > 1 ? { from: Math.max(1, first - some), to: first - 1 } : undefined,
    after: last < count ? { from: last + 1, to: Math.min(count, last + some) } : undefined,
  }
}

function hiddenNotes(
  notes: readonly NoteEntry[],
  { collection, origin }: StoredDocument,
  within: SearchScope['within'],
): LineSpan[] {
  if (within === undefined) return []
  const isMeant = scopeFilter({ within })
  const about = { collection, origin, tags: [], modified: 0 }
  return notes.filter(({ owner }) => !isMeant({ ...about, ...placeOfOwner(owner) })).map(spanOf)
}

/** Blanks the notes of other projects, so that the line numbers of the rest stay the same. */
function withoutOthers(text: string, first: number, hidden: readonly LineSpan[]): string {
  if (hidden.length === 0) return text
  const lines = text.split('\n')
  for (const { from, to } of hidden) {
    for (let line = Math.max(from, first); line <= to && line - first < lines.length; line++)
      lines[line - first] = line === from ? HIDDEN_NOTE : ''
  }
  return lines.join('\n')
}
