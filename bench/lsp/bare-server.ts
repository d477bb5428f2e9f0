import { TextDocument } from 'vscode-languageserver-textdocument'
/** A language server that keeps documents and publishes nothing: the baseline of `bench/lsp.ts`. */
import { createConnection, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node'

const connection = createConnection(process.stdin, process.stdout)
const documents = new TextDocuments(TextDocument)
connection.onInitialize(() => ({ capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental } }))
documents.onDidChangeContent(({ document }) => {
  void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
})
documents.listen(connection)
connection.listen()
