import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleGraphViewer } from '../scripts/graph-viewer.ts'
import { diskFiles } from '../src/kernel/system/files.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import type { Edge } from '../src/record/domain/graph/edges.ts'
import type { Grouping } from '../src/record/domain/graph/grouping.ts'
import { graph } from '../src/record/operations/graph.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles } from './sample-record.ts'
import { variedDecisions } from './varied-record.ts'

let folder: string
let opened: string[]
let problem: string | undefined
beforeEach(() => void ((opened = []), (problem = undefined)))
beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-graph-')))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const FILES = {
  ...recordFiles(
    [
      { num: 1, title: 'First', rationale: 'A secret reason.' },
      { num: 2, title: 'Second', rationale: 'After D1.' },
    ],
    '- [Q1] Is D2 enough?\n',
  ),
  'decisions/003-broken.md': 'no frontmatter',
}

const openStore = (files: Readonly<Record<string, string>> = FILES): Promise<Store> =>
  openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files,
  })

async function run(
  input: Record<string, unknown> = {},
  surface: 'cli' | 'http' = 'cli',
  files: Readonly<Record<string, string>> = FILES,
  { store, embedder }: { store?: Store; embedder?: Embedder } = {},
): Promise<{ output: any; text: string }> {
  const clock = stepClock()
  store ??= await openStore(files)
  const ctx = {
    origin: { surface },
    cwd: folder,
    clock,
    files: diskFiles,
    record: async () => store,
    graphViewer: bundleGraphViewer,
    bundledEmbedder: async () => embedder,
    openInBrowser: async (path) => {
      opened.push(path)
      return { problem }
    },
    progress() {},
    checkRoom() {},
  } as Partial<Context> as Context
  const operation = graph as unknown as Operation
  const answer = await call(ctx, operation, input)
  expect(operation.output.safeParse(answer.output).error).toBeUndefined()
  return { output: answer.output, text: answerText(operation, answer, 'person') }
}

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('writes a page to the current folder and reports the decisions it left out', async () => {
  const { output, text } = await run()
  expect(output).toMatchObject({
    path: 'ken-graph.html',
    text: null,
    decisions: 2,
    bytes: Buffer.byteLength(read('ken-graph.html')),
  })
  expect(read('ken-graph.html')).toMatch(/^<!doctype html>[\s\S]*<title>shop · decisions<\/title>/)
  expect(text).toMatch(
    /^Drew 2 decisions into ken-graph\.html \(\d+ KB\)\. Open it in a browser\.\n {2}left out: decisions\/003-broken\.md: /,
  )
})

test('its own page is replaced, but not a file of another program', async () => {
  await run()
  await expect(run()).resolves.toBeDefined()
  writeFileSync(join(folder, 'notes.html'), '<p>mine</p>')
  await expect(run({ output: 'notes.html' })).rejects.toMatchObject({
    code: 'conflict',
    message: `${join(folder, 'notes.html')} exists and was not created by \`ken graph\`.`,
    hint: 'Choose another name, e.g. `ken graph decisions.html`, or move that file away.',
  })
  expect(read('notes.html')).toBe('<p>mine</p>')
})

test('JSON is printed, or written to the given path', async () => {
  const { output, text } = await run({ format: 'json' })
  expect(output.path).toBeNull()
  expect(JSON.parse(text)).toMatchObject({
    generator: 'ken graph',
    version: 1,
    project: { name: 'shop' },
    citations: [{ from: '002-second', to: '001-first' }],
    questions: [{ id: 'Q1', decisions: ['002-second'] }],
    decisions: [{ label: 'D001', text: { rationale: 'A secret reason.' } }, { label: 'D002' }],
  })
  await run({ format: 'json', output: join(folder, 'deep/graph.json') })
  expect(JSON.parse(read('deep/graph.json')).stats.decisions).toBe(2)
  await expect(run({ format: 'json', output: 'deep/graph.json' })).resolves.toBeDefined()
})

test.each(['json', 'html'])('text that looks like a secret once serialised leaves the %s valid', async (format) => {
  const rationale = 'Set it in the file:\n\nuser=shop\npassword=\nhost9=db-7f3k2m9q\n'
  const record = recordFiles([{ num: 1, title: 'First', rationale }])
  const { text } = await run({ format, output: '-' }, 'cli', record)
  const data = format === 'json' ? text : /id="graph-data">(.*?)<\/script>/s.exec(text)![1]!
  expect(JSON.parse(data).decisions[0].text.rationale).toBe(rationale.trim())
  await run({ format, output: 'written' }, 'cli', record)
  expect(read('written')).toContain('host9=db-7f3k2m9q')
})

test('a secret in a decision is masked in the page and in the data', async () => {
  const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
  const record = recordFiles([{ num: 1, title: 'First', rationale: `Use ${secret} and\npassword: "hunter2hunter"` }])
  for (const format of ['json', 'html']) {
    const { text } = await run({ format, output: '-' }, 'cli', record)
    await run({ format, output: `file.${format}` }, 'cli', record)
    for (const drawn of [text, read(`file.${format}`)]) {
      expect(drawn).toContain('Use [redacted] and')
      expect(drawn).not.toContain(secret)
      expect(drawn).not.toContain('hunter2hunter')
    }
  }
})

test('a page can be printed, and leaves no file', async () => {
  const { output, text } = await run({ output: '-' })
  expect(text).toMatch(/^<!doctype html>/)
  expect(output.path).toBeNull()
  expect(() => read('ken-graph.html')).toThrow()
})

test('no decision text leaves the record if bodies are excluded', async () => {
  await run({ include_bodies: false })
  expect(read('ken-graph.html')).not.toContain('secret')
  expect(read('ken-graph.html')).toContain('First')
})

test('a graph without bodies has the links, tags and facts of the texts, and reads none of them', async () => {
  const store = await openStore(
    recordFiles([
      { num: 1, title: 'First', rationale: 'Tags: storage, queues\n\nA reason.', reversibility: 'hard' },
      { num: 2, title: 'Second', rationale: 'Tags: storage\n\nAfter D1.' },
      { num: 3, title: 'Third', rationale: 'Tags: deploy\n\nAfter D2, not D9.' },
    ]),
  )
  const read: string[] = []
  const counting: Store = { ...store, read: (path) => (read.push(path), store.read(path)) }
  const { output } = await run({ format: 'json', include_bodies: false }, 'http', FILES, { store: counting })
  expect(read).toEqual(['open-questions.md'])
  const drawn = JSON.parse(output.text)
  expect(drawn.citations.map(({ from, to }: Edge) => [from, to])).toEqual([
    ['002-second', '001-first'],
    ['003-third', '002-second'],
  ])
  expect(drawn.groupings.find(({ by }: Grouping) => by === 'tag')).toMatchObject({
    names: ['storage', 'deploy'],
    of: [0, 0, 1],
  })
  expect(drawn.decisions[0].reversibility).toBe('hard')
})

test('finds the groups of a record once until a decision changes', async () => {
  const store = await openStore(recordFiles(variedDecisions(20)))
  const asked: number[] = []
  const embedder: Embedder = {
    id: 'counting',
    dimensions: 2,
    calibration: undefined,
    knows: () => true,
    embed: async (texts) => (asked.push(texts.length), texts.map((_, i) => Float32Array.of(i % 2, 1 - (i % 2)))),
    close: async () => {},
  }
  const draw = async (): Promise<unknown> =>
    JSON.parse((await run({ format: 'json', include_bodies: false }, 'http', FILES, { store, embedder })).output.text)
      .groupings
  const first = await draw()
  expect(await draw()).toEqual(first)
  expect(asked).toEqual([20])
  const [[path, text]] = Object.entries(recordFiles([{ num: 21, title: 'One more' }])) as [[string, string]]
  await store.commit({ surface: 'cli' }, async (draft) => draft.write(path, text))
  await draw()
  expect(asked).toEqual([20, 21])
})

test('the written page is opened in the browser on request, or the reason is reported', async () => {
  expect((await run()).output).toMatchObject({ opened: false, not_opened: null })
  expect(opened).toEqual([])
  const { output, text } = await run({ open: true })
  expect(output).toMatchObject({ opened: true, not_opened: null })
  expect(opened).toEqual([join(folder, 'ken-graph.html')])
  expect(text).toContain('KB). Your browser shows it.')
  problem = 'there is no desktop here'
  const failed = await run({ open: true, output: 'deep/page.html' })
  expect(failed.output).toMatchObject({ opened: false, not_opened: problem, path: 'deep/page.html' })
  expect(failed.text).toMatch(/into deep\/page\.html .*No browser could be opened \(there is no desktop here\)/)
})

test.each([{ output: '-' }, { format: 'json' }, { format: 'json', output: 'graph.json' }])(
  '%j cannot be opened, and nothing is written',
  async (input) => {
    await expect(run({ ...input, open: true })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(opened).toEqual([])
    expect(() => read('graph.json')).toThrow()
  },
)

test('writes no file for a caller without a terminal, and returns the data', async () => {
  await expect(run({ output: 'x.html' }, 'http')).rejects.toMatchObject({ code: 'forbidden' })
  expect(readdirSync(folder)).toEqual([])
  const { output } = await run({ format: 'json' }, 'http')
  expect(JSON.parse(output.text).decisions).toHaveLength(2)
})
