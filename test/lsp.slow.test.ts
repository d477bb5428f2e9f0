import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CodeAction, CodeLens, CompletionList, Hover, Location } from 'vscode-languageserver/node'
import { type Editor, editorUser, startEditor } from './lsp-client.ts'

const CACHE = '// See D002 and Q1.\nexport const cache = new Map()\n'
const MANIFEST = '{\n  "name": "shop",\n  "dependencies": {\n    "pg": "^8.0.0"\n  }\n}\n'
const user = editorUser()
const shown: string[] = []
const questions: string[] = []
let editor: Editor

beforeAll(async () => {
  user.write('src/cache.ts', CACHE)
  user.write('src/old.ts', 'export const old = 1\n')
  user.write('package.json', MANIFEST)
  user.write('docs/notes.md', 'D002 and D999.\n')
  user.ken('init', '--name', 'shop', '--in-repo')
  const propose = (title: string, rejected: string, files: string) =>
    user.ken(
      'propose',
      title,
      '--rationale',
      'One [x](command:evil) less.',
      '--rejected',
      rejected,
      '--files-affected',
      files,
    )
  propose('Cache in the process', 'Redis: a second service <b>for</b> little', 'src/cache.ts')
  propose('Keep the old path', 'MongoDB: no joins', 'src/old.ts')
  user.ken('question', 'Which queue do we use?')
  user.git('add', '--all')
  user.git('commit', '--quiet', '--message', 'start')
  editor = await startEditor({
    home: user.home,
    folder: user.repo,
    shown: (uri) => void shown.push(uri),
    choose(message, titles) {
      questions.push(message)
      return titles[0]
    },
  })
})
afterAll(async () => {
  await editor.close()
  user.remove()
})

const request = <T>(method: string, parameters: object) => editor.rpc.sendRequest<T>(method, parameters)
const document = (path: string) => ({ textDocument: { uri: editor.uri(path) } })
const actions = (path: string, line: number) =>
  request<CodeAction[]>('textDocument/codeAction', {
    ...document(path),
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    context: { diagnostics: [] },
  })
const run = ({ command }: CodeAction, more: object = {}) =>
  request<Record<string, unknown>>('workspace/executeCommand', {
    command: command!.command,
    arguments: [{ ...command!.arguments![0], ...more }],
  })

test('reports a rejected import as it is typed, with the reason, the decision and a link', async () => {
  editor.open('src/cache.ts', CACHE)
  editor.type('src/cache.ts', 0, 0, "import { createClient } from 'redis'\n")
  const [first] = await editor.diagnostics('src/cache.ts', (all) => all.some(({ severity }) => severity === 2))
  expect(first).toMatchObject({
    source: 'ken',
    severity: 2,
    code: 'D002',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 36 } },
  })
  expect(first!.message).toContain('D002 "Cache in the process" rejected Redis')
  expect(first!.codeDescription!.href).toMatch(/^file:.*\/decisions\/002-cache-in-the-process\.md$/)
})

test('keeps a diagnostic on its line while other lines change', async () => {
  const before = editor.published.length
  for (const [i, key] of [...'const a = 1\n'].entries()) editor.type('src/cache.ts', 1, i, key)
  editor.type('src/cache.ts', 0, 0, '\n')
  await editor.diagnostics('src/cache.ts', (all) =>
    all.some((each) => each.code === 'D002' && each.range.start.line === 1),
  )
  const since = editor.published.slice(before).filter(({ uri }) => uri === editor.uri('src/cache.ts'))
  expect(since.every(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 2))).toBe(true)
  editor.replace('src/cache.ts', `import { createClient } from 'redis'\n${CACHE}`)
  await editor.diagnostics('src/cache.ts', (all) => all[0]?.range.start.line === 0)
})

test('checks a manifest before it is saved', async () => {
  editor.open('package.json', MANIFEST, 'json')
  editor.type('package.json', 3, 18, ',\n    "mongodb": "^6.0.0"')
  const [first] = await editor.diagnostics('package.json')
  expect(first).toMatchObject({ code: 'D003', range: { start: { line: 4 } } })
})

test('explains names and ids without letting record text become Markdown', async () => {
  const name = await request<Hover>('textDocument/hover', editor.at('src/cache.ts', 0, 32))
  const id = await request<Hover>('textDocument/hover', editor.at('src/cache.ts', 1, 8))
  const [ofName, ofId] = [name, id].map(({ contents }) => (contents as { value: string }).value)
  expect(ofName).toMatch(/\[Rejected\]\(file:.*\): D002 "Cache in the process" rejected Redis/)
  expect(ofId).toContain('One \\[x\\](command:evil) less.')
  expect(ofId).toContain('\\<b\\>for\\</b\\>')
})

test('opens the record from an id, and links ids in comments and Markdown', async () => {
  const [decision] = await request<Location[]>('textDocument/definition', editor.at('src/cache.ts', 1, 8))
  const [question] = await request<Location[]>('textDocument/definition', editor.at('src/cache.ts', 1, 17))
  expect(decision!.uri).toMatch(/002-cache-in-the-process\.md$/)
  expect(question).toMatchObject({ range: { start: { line: 4 } } })
  expect(question!.uri).toMatch(/open-questions\.md$/)
  editor.open('docs/notes.md', 'D002 and D999.\n', 'markdown')
  const links = await request<{ target: string }[]>('textDocument/documentLink', document('docs/notes.md'))
  expect(links.map(({ target }) => target)).toEqual([decision!.uri])
})

test('completes ids, lists decisions as symbols, and shows what governs a file', async () => {
  editor.replace('docs/notes.md', 'See D')
  const ids = await request<CompletionList>('textDocument/completion', editor.at('docs/notes.md', 0, 5))
  expect(ids.items.map(({ label }) => label)).toEqual(['D003', 'D002', 'D001'])
  const symbols = await request<{ name: string }[]>('workspace/symbol', { query: 'cache' })
  expect(symbols.map(({ name }) => name)).toEqual(['D002 Cache in the process'])
  const lenses = await request<CodeLens[]>('textDocument/codeLens', document('src/cache.ts'))
  expect(lenses.map(({ command }) => command?.title)).toEqual(['Governed by D002 Cache in the process'])
})

test('answers the requests of its own extensions', async () => {
  const found = await request<{ label: string }[]>('ken/decisions', { uri: editor.uri('src/cache.ts') })
  expect(found.map(({ label }) => label)).toEqual(['D002'])
  const status = await request<object[]>('ken/status', {})
  expect(status).toMatchObject([{ state: 'ready', name: 'shop', active: 3, proposed: 0, questions: 1 }])
  const checked = await request<{ assessment: string }>('ken/check', {
    uri: editor.uri('src/cache.ts'),
    text: 'use redis',
  })
  expect(checked.assessment).toContain('Redis')
})

test('opens a decision and records a supersession only with a title from the person', async () => {
  const [open, propose] = await actions('src/cache.ts', 0)
  await run(open!)
  expect(shown.at(-1)).toMatch(/002-cache-in-the-process\.md$/)
  expect(await run(propose!)).toEqual({ status: 'unanswered' })
  await expect.poll(() => editor.messages.at(-1)).toContain('ken supersede 2')
  expect(await run(propose!, { title: 'Cache in Redis', rationale: 'Four processes share it.' })).toMatchObject({
    status: 'confirmed',
  })
  const recorded = readFileSync(join(user.repo, '.ken/record/decisions/004-cache-in-redis.md'), 'utf8')
  expect(recorded).toContain('Four processes share it.\n\nReason: cache.ts:1: import { createClient }')
  await editor.diagnostics('src/cache.ts', (all) => !all.some(({ severity }) => severity === 2))
})

test('keeps dismissals beside the decisions, for one line or for a folder', async () => {
  const [first] = await editor.diagnostics('package.json')
  const offered = await actions('package.json', first!.range.start.line)
  await run(offered.find(({ command }) => command?.command === 'ken.dismiss')!)
  await editor.diagnostics('package.json', (all) => all.length === 0)
  const kept = JSON.parse(readFileSync(join(user.repo, '.ken/record/editor.json'), 'utf8')) as object
  expect(kept).toEqual({
    dismissed: [{ decision: '003-keep-the-old-path', file: 'package.json', line: '"mongodb": "^6.0.0"' }],
    silenced: [],
  })
  editor.open('src/old.ts', 'export const old = 1\n')
  editor.type('src/old.ts', 0, 0, "import { MongoClient } from 'mongodb'\n")
  await editor.diagnostics('src/old.ts')
  const silence = await actions('src/old.ts', 0)
  await run(silence.find(({ command }) => command?.command === 'ken.silence')!)
  await editor.diagnostics('src/old.ts', (all) => all.length === 0)
  expect(user.ken('verify')).not.toContain('editor.json')
})

test('offers to follow a moved file in the decision that names it', async () => {
  mkdirSync(join(user.repo, 'src/new'))
  renameSync(join(user.repo, 'src/old.ts'), join(user.repo, 'src/new/old.ts'))
  const files = [{ oldUri: editor.uri('src/old.ts'), newUri: editor.uri('src/new/old.ts') }]
  void editor.rpc.sendNotification('workspace/didRenameFiles', { files })
  await expect.poll(() => questions.at(-1)).toBe('D003 names src/old.ts, which moved to src/new/old.ts.')
  await expect
    .poll(() => readFileSync(join(user.repo, '.ken/record/decisions/003-keep-the-old-path.md'), 'utf8'))
    .toContain('src/new/old.ts')
  expect(user.ken('verify')).toMatch(/^Verified: /)
})

test('checks the strict format of a decision and completes its keys and values', async () => {
  const path = '.ken/record/decisions/003-keep-the-old-path.md'
  const text = readFileSync(join(user.repo, path), 'utf8')
  editor.open(path, text.replace(/^confidence: .*$/m, 'confidence: sure'), 'markdown')
  const [fault] = await editor.diagnostics(path)
  expect(fault).toMatchObject({ severity: 1, message: 'confidence must be one of high, medium, low' })
  const line = fault!.range.start.line
  expect(text.split('\n')[line]).toMatch(/^confidence:/)
  const values = await request<CompletionList>('textDocument/completion', editor.at(path, line, 12))
  expect(values.items.map(({ label }) => label)).toEqual(['high', 'medium', 'low'])
  editor.replace(path, text.replace(/^---\n/, "---\nsupersedes: '99'\n"))
  const dangling = await editor.diagnostics(path, ([first]) => first?.severity === 2)
  expect(dangling[0]!.message).toBe('supersedes names D99, which does not exist')
})

test('reports nothing for files outside the folder, through links, or with strange addresses', async () => {
  const other = join(user.repo, '..', 'other.ts')
  writeFileSync(other, '')
  symlinkSync(other, join(user.repo, 'src/link.ts'))
  for (const uri of [
    editor.uri('../other.ts'),
    editor.uri('src/link.ts'),
    editor.uri('.git/config'),
    'file://server/share/a.ts',
    'file:///%00.ts',
    'untitled:Untitled-1',
    'command:ken.dismiss',
    'file:///a%2Fb.ts',
  ]) {
    void editor.rpc.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text: "import 'mongodb' // D002\n" },
    })
    expect(await request('textDocument/documentLink', { textDocument: { uri } })).toEqual([])
    expect(editor.published.filter((each) => each.uri === uri)).toEqual([])
  }
  const forged = { command: 'ken.dismiss', arguments: [{ uri: editor.uri('../other.ts'), decision: '../x', line: '' }] }
  await expect(request('workspace/executeCommand', forged)).rejects.toThrow('This document has no such decision.')
  await expect(request('workspace/executeCommand', { command: 'toString', arguments: [{}] })).rejects.toThrow(
    'No command',
  )
})

test('shows only an offer to trust an untrusted clone', async () => {
  const stranger = editorUser()
  try {
    stranger.git('pull', '--quiet', user.repo)
    const clone = await startEditor({ home: stranger.home, folder: stranger.repo })
    try {
      clone.open('src/cache.ts', `import 'redis'\n${CACHE}`)
      await expect.poll(() => clone.messages.join()).toContain('run `ken trust` there')
      for (const method of ['documentLink', 'codeLens'])
        expect(
          await clone.rpc.sendRequest(`textDocument/${method}`, { textDocument: { uri: clone.uri('src/cache.ts') } }),
        ).toEqual([])
      expect(await clone.rpc.sendRequest('textDocument/hover', clone.at('src/cache.ts', 1, 8))).toBeNull()
      expect(await clone.rpc.sendRequest('workspace/symbol', { query: '' })).toEqual([])
      expect(await clone.rpc.sendRequest('ken/status', {})).toMatchObject([{ state: 'untrusted' }])
      expect(clone.published).toEqual([])
      stranger.ken('trust', '--yes')
      clone.save('src/cache.ts')
      expect((await clone.diagnostics('src/cache.ts')).map(({ code }) => code)).toContain('D002')
    } finally {
      await clone.close()
    }
  } finally {
    stranger.remove()
  }
})

test('follows the git settings, such as objects outside of the repository', async () => {
  const shared = editorUser()
  try {
    shared.write('a.ts', 'export {}\n')
    shared.ken('init', '--name', 'shared', '--in-repo')
    shared.git('add', '--all')
    shared.git('commit', '--quiet', '--message', 'start')
    const objects = join(shared.repo, '..', 'objects')
    renameSync(join(shared.repo, '.git/objects'), objects)
    mkdirSync(join(shared.repo, '.git/objects/info'), { recursive: true })
    writeFileSync(join(shared.repo, '.git/objects/info/alternates'), `${objects}\n`)
    shared.ken('config', 'set', 'git.outside', 'true')
    const other = await startEditor({ home: shared.home, folder: shared.repo })
    try {
      expect(await other.rpc.sendRequest('ken/status', {})).toMatchObject([{ state: 'ready', name: 'shared' }])
    } finally {
      await other.close()
    }
  } finally {
    shared.remove()
  }
})
