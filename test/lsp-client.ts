import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import type { Diagnostic, InitializeResult, Position } from 'vscode-languageserver/node'

const KEN = join(import.meta.dirname, '..', 'bin', 'ken.js')

/** A user with a separate home and a git repository. */
export interface EditorUser {
  readonly home: string
  readonly repo: string
  write(path: string, text: string): void
  git(...args: string[]): void
  ken(...args: string[]): string
  remove(): void
}

export function editorUser(): EditorUser {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-lsp-')))
  const [home, repo] = [join(folder, 'home'), join(folder, 'repo')]
  mkdirSync(repo, { recursive: true })
  const env = { ...process.env, KEN_HOME: home, HOME: folder }
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: repo, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const user: EditorUser = {
    home,
    repo,
    write(path, text) {
      mkdirSync(dirname(join(repo, path)), { recursive: true })
      writeFileSync(join(repo, path), text)
    },
    git: (...args) =>
      void run('git', [
        '-c',
        'user.name=Test',
        '-c',
        'user.email=test@example.org',
        '-c',
        'commit.gpgsign=false',
        ...args,
      ]),
    ken: (...args) => run(process.execPath, [KEN, ...args]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  user.git('init', '--quiet')
  return user
}

/** An editor that started `ken lsp` in a folder. */
export interface Editor {
  readonly rpc: MessageConnection
  readonly pid: number
  readonly initialized: InitializeResult
  /** Every published list of diagnostics, oldest first. */
  readonly published: { readonly uri: string; readonly diagnostics: readonly Diagnostic[] }[]
  readonly messages: string[]
  uri(path: string): string
  open(path: string, text: string, language?: string): void
  /** Inserts text as one key does, replacing everything up to `end`. */
  type(path: string, line: number, character: number, text: string, end?: Position): void
  replace(path: string, text: string): void
  save(path: string): void
  /** The last diagnostics of a file once they satisfy a condition. */
  diagnostics(path: string, until?: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>
  at(path: string, line: number, character: number): object
  close(): Promise<void>
}

export interface EditorOptions {
  readonly home: string
  readonly folder: string
  readonly capabilities?: object
  /** Milliseconds without a keystroke before a check. */
  readonly delay?: number
  /** Answers to questions, by the title of the chosen action. */
  readonly choose?: (message: string, titles: readonly string[]) => string | undefined
  readonly shown?: (uri: string) => void
  readonly command?: readonly string[]
}

export async function startEditor(options: EditorOptions): Promise<Editor> {
  const [program, ...args] = options.command ?? [process.execPath, KEN, 'lsp', '--stdio']
  const child = spawn(program!, args, {
    cwd: options.folder,
    env: { ...process.env, KEN_HOME: options.home, HOME: dirname(options.home) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const rpc = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  const published: { uri: string; diagnostics: readonly Diagnostic[] }[] = []
  const messages: string[] = []
  const waiting = new Set<() => void>()
  const versions = new Map<string, number>()
  rpc.onNotification('textDocument/publishDiagnostics', (each: (typeof published)[number]) => {
    published.push(each)
    for (const look of waiting) look()
  })
  rpc.onNotification('window/showMessage', ({ message }: { message: string }) => {
    messages.push(message)
    for (const look of waiting) look()
  })
  rpc.onRequest('window/showMessageRequest', ({ message, actions = [] }) => {
    const titles = (actions as { title: string }[]).map(({ title }) => title)
    const title = options.choose?.(message, titles)
    return title === undefined ? null : { title }
  })
  rpc.onRequest('window/showDocument', ({ uri }: { uri: string }) => {
    options.shown?.(uri)
    return { success: true }
  })
  rpc.onRequest('client/registerCapability', () => null)
  rpc.listen()
  const uri = (path: string) => pathToFileURL(join(options.folder, path)).href
  const next = (path: string) => {
    versions.set(path, (versions.get(path) ?? 1) + 1)
    return { uri: uri(path), version: versions.get(path)! }
  }
  const change = (path: string, contentChanges: object[]) =>
    void rpc.sendNotification('textDocument/didChange', { textDocument: next(path), contentChanges })
  const initialized: InitializeResult = await rpc.sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(options.folder).href,
    ...(options.delay !== undefined && { initializationOptions: { delay: options.delay } }),
    workspaceFolders: [{ uri: pathToFileURL(options.folder).href, name: 'repo' }],
    capabilities: options.capabilities ?? {
      window: { showDocument: { support: true } },
      textDocument: { hover: { contentFormat: ['markdown'] }, codeLens: {} },
    },
  })
  void rpc.sendNotification('initialized', {})
  return {
    rpc,
    pid: child.pid!,
    initialized,
    published,
    messages,
    uri,
    open(path, text, language = 'typescript') {
      versions.set(path, 1)
      void rpc.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(path), languageId: language, version: 1, text },
      })
    },
    type(path, line, character, text, end = { line, character }) {
      change(path, [{ range: { start: { line, character }, end }, text }])
    },
    replace: (path, text) => change(path, [{ text }]),
    save: (path) => void rpc.sendNotification('textDocument/didSave', { textDocument: { uri: uri(path) } }),
    async diagnostics(path, until = (all) => all.length > 0) {
      const last = () => published.findLast((each) => each.uri === uri(path))?.diagnostics ?? []
      while (!until(last())) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
      return last()
    },
    at: (path, line, character) => ({ textDocument: { uri: uri(path) }, position: { line, character } }),
    async close() {
      await rpc.sendRequest('shutdown')
      void rpc.sendNotification('exit')
      const { promise, resolve } = Promise.withResolvers<void>()
      child.on('exit', () => resolve())
      if (child.exitCode === null) await promise
      rpc.dispose()
    },
  }
}
