import {
  type ClientCapabilities,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  LSPErrorCodes,
  MessageType,
  ProposedFeatures,
  ResponseError,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node'
import { z } from 'zod'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { actionsFor, COMMANDS, offerMoves, runCommand } from './act.ts'
import { answerRequests } from './answer-requests.ts'
import { checkDocuments, SETTLED } from './check-documents.ts'
import { completionsAt } from './complete.ts'
import { MARKDOWN_WRITER, PLAIN_WRITER } from './decision-text.ts'
import { hintsOf, lensesOf } from './governed-file.ts'
import { definitionAt, hoverAt, lineAt, linksIn, symbolsIn } from './look-up.ts'
import { openDocuments } from './open-documents.ts'
import { type OpenContext, openProjects, type ProjectState } from './open-projects.ts'
import { messageText, showMessage } from './show-message.ts'

export interface LanguageServerOptions {
  readonly version: string
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly context: OpenContext
  /** Logs the full error, if requested. */
  trace?(thrown: unknown): void
}

/** Serves one editor until it disconnects. */
export function serveLanguage({ version, input, output, context, trace = () => {} }: LanguageServerOptions): {
  stop(): void
} {
  const connection = createConnection(ProposedFeatures.all, input, output)
  let client: ClientCapabilities = {}
  const projects = openProjects(context, (root, state) => reportState(connection, root, state))
  let delay = SETTLED
  const checks = checkDocuments({ connection, projects, documents: () => documents, delay: () => delay, trace })
  const documents = openDocuments(connection, checks)
  const parts = {
    connection,
    projects,
    canShowDocument: () => client.window?.showDocument?.support === true,
    recheck: checks.recheck,
  }

  connection.onInitialize((params) => {
    client = params.capabilities
    delay = optionsShape.safeParse(params.initializationOptions ?? {}).data?.delay ?? SETTLED
    projects.setFolders(foldersOf(params))
    return { capabilities: capabilitiesFor(client), serverInfo: { name: 'ken', version } }
  })
  connection.onInitialized(() => {
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: '**/.ken/**' }, { globPattern: '**/.git/HEAD' }],
      })
    if (client.workspace?.workspaceFolders === true)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => uri))
        folders = [...folders.filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => uri)]
        projects.setFolders(folders)
        checks.recheck()
      })
  })
  let folders: string[] = []
  const foldersOf = (params: InitializeParams): string[] =>
    (folders = params.workspaceFolders?.map(({ uri }) => uri) ?? (params.rootUri ? [params.rootUri] : []))

  connection.onDidChangeWatchedFiles(() => {
    projects.forget()
    void projects
      .all()
      .then((all) => Promise.all(all.map(({ judge }) => judge.refresh())))
      .then(checks.recheck, trace)
  })

  /** Answers a request about a document in a trusted project; all others get `nothing`. */
  const about =
    <P extends { readonly textDocument: { readonly uri: string } }, T>(
      nothing: T,
      answer: (params: P, document: OpenDocument, place: Place) => T | undefined | Promise<T | undefined>,
    ) =>
    async (params: P): Promise<T> => {
      const document = documents.get(params.textDocument.uri)
      const place = document && (await projects.placeOf(document.uri))
      if (document === undefined || place === undefined) return nothing
      if (place.project.judge.record().decisions.length === 0) await place.project.judge.refresh()
      return (await answer(params, document, place)) ?? nothing
    }

  const writer = () =>
    client.textDocument?.hover?.contentFormat?.includes('markdown') === true ? MARKDOWN_WRITER : PLAIN_WRITER
  connection.onHover(about(null, ({ position }, document, place) => hoverAt(document, place, position, writer())))
  connection.onDefinition(about(null, ({ position }, document, place) => definitionAt(document, place, position)))
  connection.onDocumentLinks(about([], (_, document, place) => linksIn(document, place)))
  connection.onCompletion(about(null, ({ position }, document, place) => completionsAt(document, place, position)))
  connection.onCodeLens(about([], ({ textDocument: { uri } }, _, place) => lensesOf(place, uri)))
  connection.languages.inlayHint.on(
    about([], ({ range }, document, place) => (range.start.line > 0 ? [] : hintsOf(place, lineAt(document, 0)))),
  )
  connection.onCodeAction(({ textDocument: { uri }, range }) => actionsFor(uri, checks.findingsOf(uri), range))
  connection.onWorkspaceSymbol(async ({ query }) => symbolsIn(await refreshedProjects(), query))
  connection.onExecuteCommand(({ command, arguments: [given] = [] }) => answered(runCommand(command, given, parts)))
  connection.workspace.onDidRenameFiles(({ files }) => void offerMoves(files, parts).catch(trace))
  answerRequests(connection, { projects, answered })
  connection.onShutdown(() => checks.stop())
  connection.listen()

  async function refreshedProjects() {
    const all = await projects.all()
    await Promise.all(all.map(({ judge }) => judge.refreshRecord()))
    return all
  }

  /** Reports failures to the editor as one line. */
  function answered<T>(work: Promise<T>): Promise<T> {
    return work.catch((thrown: unknown) => {
      trace(thrown)
      throw new ResponseError(LSPErrorCodes.RequestFailed, messageText(toAppError(thrown).line))
    })
  }

  return {
    stop() {
      checks.stop()
      connection.dispose()
    },
  }
}

type OpenDocument = NonNullable<ReturnType<ReturnType<typeof openDocuments>['get']>>
type Place = NonNullable<Awaited<ReturnType<ReturnType<typeof openProjects>['placeOf']>>>

/** `initializationOptions` of the editor's configuration. */
const optionsShape = z.object({ delay: z.number().min(0).max(10_000).optional() })

const REPORTED = new WeakMap<Connection, Map<string, string>>()

/** Explains once why a folder has no diagnostics: an untrusted record, or one that cannot be opened. */
function reportState(connection: Connection, root: string, each: ProjectState): void {
  const reported = REPORTED.get(connection) ?? new Map<string, string>()
  REPORTED.set(connection, reported)
  const line =
    each.state === 'untrusted'
      ? `The record in ${root} came with a clone and is not trusted yet. Review it with \`ken context\`, then run \`ken trust\` there.`
      : each.state === 'failed'
        ? each.message
        : ''
  if (reported.get(root) === line) return
  reported.set(root, line)
  if (line !== '') showMessage(connection, MessageType.Warning, `Ken: ${line}`)
  void connection.sendNotification('ken/stateChanged', { root, state: each.state })
}

const FILES = { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] }

/** Inlay hints repeat the code lens, so only editors without lenses get them. */
function capabilitiesFor(client: ClientCapabilities): ServerCapabilities {
  const hasLens = client.textDocument?.codeLens !== undefined
  return {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
    hoverProvider: true,
    definitionProvider: true,
    documentLinkProvider: {},
    completionProvider: { triggerCharacters: ['D', 'Q', ':'] },
    codeActionProvider: { codeActionKinds: ['quickfix'] },
    executeCommandProvider: { commands: [...COMMANDS] },
    workspaceSymbolProvider: true,
    ...(hasLens ? { codeLensProvider: {} } : { inlayHintProvider: true }),
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      fileOperations: { didRename: FILES },
    },
  }
}
