import { parseSessionMarkdown, type SessionDocument } from './domain/session/markdown.ts'
import type { Documents } from './ports/documents.ts'
import type { MemorySession } from './ports/memory.ts'
import type { StoredDocument } from './ports/search-index.ts'

/** Reads sessions turn by turn. A long session is read in ranges, but its file is parsed once. */
export function openSessionReader() {
  let last: { readonly text: string; readonly session: SessionDocument } | undefined
  return (
    documents: Pick<Documents, 'text'>,
    { document, from }: { readonly document: StoredDocument; readonly from?: number },
  ): MemorySession | undefined => {
    const text = documents.text(document)
    if (text === undefined) return undefined
    if (last?.text !== text) last = { text, session: parseSessionMarkdown(text) }
    const { key, path, trust } = document
    return { id: key, path, trust, line: from, session: last.session }
  }
}
