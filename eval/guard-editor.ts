/**
 * Types the cases of `eval/guard.ts` key by key into `ken lsp`: `node eval/guard-editor.ts [milliseconds between
 * keys]`. Prints what the editor shows at the end, and how often a diagnostic vanished from a line that was not being
 * typed (flicker), or was shown for a half-typed word and was gone at the end (passing). The server does not wait for a
 * pause, so nearly every key is checked: the hardest setting.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node'
import { type Editor, type EditorUser, editorUser, startEditor } from '../test/lsp-client.ts'
import { type Given, recordFiles } from '../test/sample-record.ts'
import { type GuardCase, type GuardSet, readCases, recordOf } from './guard-cases.ts'
import { tellReturns } from './returns.ts'

const GAP = Number(process.argv[2] ?? 4)
const QUIET = 150

interface Typed {
  readonly found: readonly string[]
  readonly flicker: number
  readonly passing: number
  readonly keys: number
}

async function measure(set: GuardSet): Promise<void> {
  const cases = readCases(set)
  const user = userWith(recordOf(set))
  const editor = await startEditor({ home: user.home, folder: user.repo, delay: 0 })
  const typed: Typed[] = []
  try {
    for (const each of cases) typed.push(await typeCase(editor, user, each))
  } finally {
    await editor.close()
    user.remove()
  }
  const sum = (of: (each: Typed) => number) => typed.reduce((total, each) => total + of(each), 0)
  console.log(`${set}: ${cases.length} cases, ${sum(({ keys }) => keys)} keys, ${GAP} ms apart`)
  tellReturns(
    cases.map((each, i) => ({
      ...each,
      isRight: each.wanted === undefined ? typed[i]!.found.length === 0 : typed[i]!.found.includes(each.wanted),
    })),
  )
  console.log(`flicker ${sum(({ flicker }) => flicker)}, passing ${sum(({ passing }) => passing)}`)
  for (const [i, { title, wanted }] of cases.entries())
    if (wanted === undefined ? typed[i]!.found.length > 0 : !typed[i]!.found.includes(wanted))
      console.log(`  ${title}: found ${[...new Set(typed[i]!.found)].join(', ') || 'nothing'}`)
}

function userWith(record: readonly Given[]): EditorUser {
  const user = editorUser()
  user.ken('init', '--name', 'shop')
  const [id] = readdirSync(join(user.home, 'projects'))
  const folder = join(user.home, 'projects', id!)
  rmSync(join(folder, 'decisions'), { recursive: true })
  for (const [path, text] of Object.entries(recordFiles(record))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return user
}

async function typeCase(editor: Editor, user: EditorUser, { before, after }: GuardCase): Promise<Typed> {
  for (const name of readdirSync(user.repo))
    if (name !== '.git' && name !== '.ken') rmSync(join(user.repo, name), { recursive: true })
  for (const [path, text] of before) user.write(path, text)
  user.git('add', '--all')
  user.git('commit', '--quiet', '--allow-empty', '--message', 'case')
  // Without a later state, README.md and package.json stay; any other file is deleted.
  for (const path of before.keys())
    if (!after.has(path) && !/^(?:README\.md|package\.json)$/.test(path)) rmSync(join(user.repo, path))
  for (const path of after.keys()) if (!existsSync(join(user.repo, path))) user.write(path, '')
  user.git('add', '--all')
  void editor.rpc.sendNotification('workspace/didChangeWatchedFiles', { changes: [] })
  await editor.rpc.sendRequest('ken/status', {})
  await sleep(QUIET)
  const from = editor.published.length
  let keys = 0
  let flicker = 0
  for (const path of after.keys()) editor.open(path, before.get(path) ?? '', languageOf(path))
  await editor.rpc.sendRequest('ken/status', {})
  for (const [path, text] of after) {
    const done = await typeFile(editor, path, before.get(path) ?? '', text)
    keys += done.keys
    flicker += done.flicker
  }
  for (const [path, text] of after) {
    user.write(path, text)
    user.git('add', '--all')
    editor.save(path)
  }
  await editor.rpc.sendRequest('ken/status', {})
  await sleep(QUIET * 3)
  const shown = new Set<string>()
  for (const { diagnostics } of editor.published.slice(from))
    for (const each of diagnostics) if (isReturn(each)) shown.add(messageOf(each))
  const last = [...after.keys()].flatMap(
    (path) => editor.published.findLast((each) => each.uri === editor.uri(path))?.diagnostics ?? [],
  )
  const final = last.filter(isReturn)
  for (const path of after.keys())
    void editor.rpc.sendNotification('textDocument/didClose', { textDocument: { uri: editor.uri(path) } })
  const kept = new Set(final.map(messageOf))
  return {
    found: final.map(({ code }) => String(code)),
    flicker,
    passing: [...shown].filter((message) => !kept.has(message)).length,
    keys,
  }
}

/** Warnings and information of guard; hints are about files and words. */
const isReturn = (each: Diagnostic): boolean =>
  each.severity !== DiagnosticSeverity.Hint && !messageOf(each).startsWith('the code no longer follows')

const messageOf = ({ message }: Diagnostic): string => (typeof message === 'string' ? message : message.value)

const languageOf = (path: string): string => (path.endsWith('.md') ? 'markdown' : 'plaintext')

/** Deletes what the change removes, then types what it adds. Counts diagnostics that vanish from other lines. */
async function typeFile(
  editor: Editor,
  path: string,
  before: string,
  after: string,
): Promise<{ keys: number; flicker: number }> {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  let document = TextDocument.create('', '', 0, before)
  const apply = (at: number, to: number, text: string): number => {
    const [from, until] = [document.positionAt(at), document.positionAt(to)]
    editor.type(path, from.line, from.character, text, until)
    document = TextDocument.create('', '', 0, document.getText().slice(0, at) + text + document.getText().slice(to))
    return from.line
  }
  let [flicker, seen] = [0, editor.published.length]
  const lost = new Set<string>()
  const look = (line: number): void => {
    for (; seen < editor.published.length; seen++) {
      const { uri, diagnostics } = editor.published[seen]!
      if (uri !== editor.uri(path)) continue
      const now = new Set(diagnostics.filter(isReturn).map(messageOf))
      for (const message of now) if (lost.delete(message)) flicker++
      for (const each of previous)
        if (!now.has(messageOf(each)) && each.range.start.line !== line) lost.add(messageOf(each))
      previous = diagnostics.filter(isReturn)
    }
  }
  let previous: Editor['published'][number]['diagnostics'] = []
  if (before.length - end > start) apply(start, before.length - end, '')
  for (const [i, letter] of after
    .slice(start, after.length - end)
    .split('')
    .entries()) {
    const line = apply(start + i, start + i, letter)
    await sleep(GAP)
    look(line)
  }
  return { keys: after.length - end - start, flicker }
}

for (const set of ['changes', 'services'] as const) await measure(set)
