import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { scopeFilter, type SearchScope } from '../retrieval/domain/ranking/indexed-document.ts'
import { noteEntry } from './domain/note/note-entries.ts'
import { readOwnerLine } from './domain/note/note-owner.ts'
import type { Documents } from './ports/documents.ts'
import type { ShareableText } from './ports/memory.ts'
import type { SearchIndex, StoredDocument } from './ports/search-index.ts'

/** A note with this tag never leaves the machine. */
const PRIVATE = 'private'

/**
 * The sessions and notes of a scope as they may leave the machine, newest first. Notes tagged private and the global
 * workspace are skipped: the scope names one workspace.
 */
export async function* shareableTexts(
  { index, documents }: { readonly index: Pick<SearchIndex, 'documents'>; readonly documents: Pick<Documents, 'text'> },
  within: NonNullable<SearchScope['within']>,
): AsyncGenerator<ShareableText> {
  const isMeant = scopeFilter({ within, origins: ['session', 'note'] })
  const found = (await index.documents({}))
    .filter(isMeant)
    .filter(({ origin, entry }) => origin === 'session' || entry !== undefined)
    .filter(({ tags }) => !tags.some((tag) => tag.toLowerCase() === PRIVATE))
  for (const document of found.toSorted((a, b) => b.modified - a.modified)) {
    const file = documents.text(document)
    if (file === undefined) continue
    // Redacts the whole file first: half a secret is not recognised.
    const { text: clean } = redactSecrets(file)
    const text = document.entry === undefined ? clean : noteBody(clean, document.entry)
    if (text === undefined || text.trim() === '') continue
    yield { ...factsOf(document), text, redacted: secretsIn(text) }
  }
}

function factsOf({ key, origin, title, tags, modified }: StoredDocument): Omit<ShareableText, 'text' | 'redacted'> {
  return { name: `${key}.md`, origin: origin === 'note' ? 'note' : 'session', title, tags, modified }
}

/** The text of a note; its time, tags and owner are passed separately, and a path on this machine is never passed. */
function noteBody(file: string, entry: string): string | undefined {
  const note = noteEntry(file, entry)
  if (note === undefined) return undefined
  const lines = note.text.split('\n').slice(note.heading === '' ? 0 : 1)
  const isHead = (line: string): boolean =>
    line.trim() === '' || readOwnerLine(line.trimEnd()) !== undefined || /^tags:[ \t]*\S/i.test(line)
  const begin = lines.findIndex((line) => !isHead(line))
  return begin < 0 ? '' : lines.slice(begin).join('\n').trim()
}

/** Including secrets redacted at harvest. */
const secretsIn = (text: string): number => text.split('[redacted]').length - 1
