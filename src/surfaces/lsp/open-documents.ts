import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Connection } from 'vscode-languageserver/node'

/** Events of open documents, in the order of the editor. */
export interface DocumentEvents {
  opened(document: TextDocument): void
  /** `line`: the line of the last change. */
  changed(document: TextDocument, line: number | undefined): void
  saved(document: TextDocument): void
  closed(document: TextDocument): void
}

// Maximum total size of documents in memory; other documents are read from disk.
const MOST_CHARACTERS = 64 * 1024 * 1024

/** The open documents, synchronised by the editor's incremental changes. */
export function openDocuments(connection: Connection, events: DocumentEvents): ReadonlyMap<string, TextDocument> {
  const documents = new Map<string, TextDocument>()
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    const held = [...documents.values()].reduce((sum, each) => sum + each.getText().length, 0)
    if (held + text.length > MOST_CHARACTERS) return
    const document = TextDocument.create(uri, languageId, version, text)
    documents.set(uri, document)
    events.opened(document)
  })
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const document = documents.get(uri)
    if (document === undefined) return
    const changed = TextDocument.update(document, contentChanges, version ?? document.version + 1)
    documents.set(uri, changed)
    const last = contentChanges.at(-1)
    events.changed(changed, last !== undefined && 'range' in last ? last.range.start.line : undefined)
  })
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const document = documents.get(uri)
    if (document !== undefined) events.saved(document)
  })
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const document = documents.get(uri)
    documents.delete(uri)
    if (document !== undefined) events.closed(document)
  })
  return documents
}
