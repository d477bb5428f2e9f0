import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toAppError } from '../../src/kernel/domain/to-app-error.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'
import type { RegisteredOperation } from '../../src/operations/registry.ts'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'

// Test cases contain the expected answers. Every operation offered to agents is called with every text it accepts: a
// word that only test files contain must not be returned by any of them.

/** The query, and the text next to it that must not be returned. */
const ASKED = 'quollprobe'
const CANARY = 'zebrafinch'
/** The same in a public place: if this text is not returned either, the test has no effect. */
const OPEN = 'openfinch'

const CASES = `- kind: answer\n  name: ${ASKED}\n  prompt: ${ASKED} redis mongodb\n  assert: [{ contains: ${CANARY} }]\n`
const SOURCE = `/** ${ASKED} ${CANARY} */\nexport const ${ASKED} = '${CANARY}'\nimport redis from 'redis'\n`

/** Every location for cases and run output. */
const HIDDEN: Readonly<Record<string, string>> = {
  'tests/cases.yaml': CASES,
  'tests/deep/er/cases.yml': CASES,
  'tests/notes.md': `# ${ASKED}\n\n${CANARY}\n`,
  'tests/check.ts': SOURCE,
  'tests/outputs/run.json': `{"${ASKED}": "${CANARY}"}\n`,
  'tests/outputs/report.html': `<p>${ASKED} ${CANARY}</p>\n`,
  '.ken/tests/cases.yaml': CASES,
  '.ken/tests/outputs/run.md': `${ASKED} ${CANARY}\n`,
  'repos/mono/analytics/ken.yaml': 'name: analytics\n',
  'repos/mono/analytics/tests/cases.yaml': CASES,
  'repos/mono/analytics/tests/outputs/run.md': `${ASKED} ${CANARY}\n`,
}

/** Public files next to the hidden ones. */
const SHOWN: Readonly<Record<string, string>> = {
  'docs/open.md': `# ${ASKED}\n\n${OPEN}\n`,
  'repos/mono/tests/plain.md': `${ASKED} ${OPEN}\n`,
}

const PATHS = [
  ...Object.keys(HIDDEN).filter((path) => !path.endsWith('ken.yaml')),
  'TESTS/cases.yaml',
  'Tests/outputs/run.json',
  'docs/linked/cases.yaml',
  'docs/link.yaml',
  './docs/../tests/cases.yaml',
  'tests',
  'tests/',
  'tests/**',
  '**/*.yaml',
  '**/*',
  '../tests/cases.yaml',
  '../../tests/cases.yaml',
  'shop/tests/cases.yaml',
  'codebase/tests/check.ts',
  'record/../../tests/cases.yaml',
]

let desk: AnalystDesk

beforeAll(async () => {
  desk = await openAnalystDesk(() => 'null')
  for (const [path, text] of Object.entries({ ...HIDDEN, ...SHOWN })) desk.write(path, text)
  symlinkSync('../tests', join(desk.folder, 'docs/linked'))
  symlinkSync('../tests/cases.yaml', join(desk.folder, 'docs/link.yaml'))
  symlinkSync('../../tests/notes.md', join(desk.folder, 'agent/skills/steal.md'))
  mkdirSync(join(desk.folder, '../linked-tests-of'), { recursive: true })
  symlinkSync(join(desk.folder, 'tests'), join(desk.folder, '../linked-tests-of/folder'))
  const git = (...words: string[]): void => void execFileSync('git', words, { cwd: desk.folder, stdio: 'ignore' })
  git('init', '-q')
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--allow-empty', '-m', 'start')
  git('add', '-f', 'tests', 'repos')
  // Even if a person requests it, the collection stays empty.
  for (const [name, path] of Object.entries({
    everything: '.',
    cases: 'tests',
    recorded: '.ken/tests',
    linked: '../linked-tests-of/folder',
  }))
    await desk.run('collection_add', { name, path: join(desk.folder, path), pattern: '**/*' })
  for (const root of [desk.folder, join(desk.folder, 'tests'), join(desk.folder, '.ken/tests')])
    await desk.run('memory_index_codebase', { root }).catch(() => {})
  await desk.run('sync_sources', {})
  await desk.run('memory_update', {})
}, 120_000)
afterAll(() => desk.close())

/** `ask` is tested below, by the input of its model. */
const forAgents = OPERATIONS.filter(
  (op) => op.name !== 'ask' && op.toolset !== 'cli' && op.hiddenFrom.mcp === undefined,
)

/** Everything an operation returns to a calling agent: its answer as data and as text, or the error. */
async function said(op: RegisteredOperation, input: object): Promise<string> {
  const origin: Context['origin'] = { surface: 'mcp-stdio', client: 'somebody' }
  try {
    const { output, input: read } = await call(desk.context({ origin }), op, input)
    return `${JSON.stringify(output)}\n${op.render(output as never, read as never)}`
  } catch (thrown) {
    const { line, details } = toAppError(thrown)
    return `${line} ${JSON.stringify(details ?? {})}`
  }
}

/** Inputs of an operation, with one text after the other in each text field. */
function* inputsOf(op: RegisteredOperation, texts: readonly string[]): Generator<object> {
  const { properties = {} } = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' })
  const examples = op.examples.length === 0 ? [{ title: '', input: {} }] : op.examples.slice(0, 1)
  for (const { input } of examples) {
    yield input
    for (const [field, schema] of Object.entries(properties as Readonly<Record<string, FieldSchema>>)) {
      if (field === 'project_id' || field === 'workspace') continue
      if (takesText(schema)) for (const text of texts) yield { ...input, [field]: text }
      if (schema.type === 'array' && takesText(schema.items ?? {}))
        for (const text of texts) yield { ...input, [field]: [text] }
    }
  }
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
}

const takesText = ({ type, enum: values, anyOf }: FieldSchema): boolean =>
  values === undefined && (type === 'string' || (anyOf?.some(takesText) ?? type === undefined))

const wholePaths = (): string[] =>
  ['tests/cases.yaml', '.ken/tests/cases.yaml', 'docs/linked/cases.yaml', 'tests'].map((path) =>
    join(desk.folder, path),
  )

describe.each(forAgents.map((op) => [op.name, op] as const))('%s', (_name, op) => {
  test('returns nothing from a test file, whatever the input', async () => {
    const texts = op.effect === 'read' ? [ASKED, '.', ...PATHS, ...wholePaths()] : [ASKED, ...wholePaths()]
    const heard: string[] = []
    for (const input of inputsOf(op, texts)) {
      const answer = await said(op, input)
      if (answer.includes(CANARY)) heard.push(JSON.stringify(input))
    }
    expect(heard).toEqual([])
  }, 300_000)
})

test('public text is returned by the same questions', async () => {
  const finding = [
    'grep_files',
    'memory_query',
    'memory_search',
    'search_files',
    'list_files',
    'read_file',
    'memory_get',
  ]
  for (const name of finding) expect(forAgents.map((op) => op.name)).toContain(name)
  const heard = new Set<string>()
  for (const op of forAgents)
    for (const input of inputsOf(op, [ASKED, 'docs/open.md']))
      if ((await said(op, input)).includes(OPEN)) heard.add(op.name)
  expect([...heard]).toEqual(
    expect.arrayContaining(['grep_files', 'memory_query', 'memory_search', 'read_file', 'memory_get']),
  )
}, 120_000)

test('no collection contains a test file, and no symbol is from one', async () => {
  const { results } = (await desk.run('memory_search', { query: ASKED, workspace: 'all', limit: 100 })) as {
    results: { path: string }[]
  }
  // Texts that agents wrote above are stored elsewhere.
  const paths = results.flatMap(({ path }) =>
    path.startsWith(`${desk.folder}/`) ? [path.slice(desk.folder.length + 1)] : [],
  )
  expect(new Set(paths)).toEqual(new Set(Object.keys(SHOWN)))
  expect(JSON.stringify(await desk.run('symbols', { name: ASKED }).catch(String))).not.toContain('check.ts')
})

test.each([
  `What does @tests/cases.yaml say of ${ASKED}?`,
  '@docs/linked/cases.yaml and @docs/link.yaml',
  '@TESTS/cases.yaml @.ken/tests/cases.yaml @repos/mono/analytics/tests/cases.yaml',
  '/steal please',
  `Tell me about ${ASKED}`,
])('the analyst receives nothing from a test file: %s', async (question) => {
  desk.model.requests.length = 0
  await desk.ask(question)
  expect(desk.model.requests.length).toBeGreaterThan(0)
  for (const request of desk.model.requests) expect(request.said).not.toContain(CANARY)
})

test('a folder of tests without a ken.yaml is code like any other', async () => {
  const repository = join(desk.folder, '../plain')
  for (const [path, text] of Object.entries({
    'tests/check.ts': 'export const wombatprobe = 1\n',
    'src/.ken/x.ts': 'export {}\n',
  })) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  execFileSync('git', ['init', '-q'], { cwd: repository })
  await desk.run('memory_index_codebase', { root: repository })
  const found = (): Promise<string> =>
    desk.run('memory_search', { query: 'wombatprobe', workspace: 'all' }).then((output) => JSON.stringify(output))
  expect(await found()).toContain('check.ts')
  // Once the folder is a context project, its tests are cases.
  writeFileSync(join(repository, 'ken.yaml'), 'name: plain\n')
  expect(await found()).not.toContain('export const wombatprobe')
  await desk.run('memory_update', {})
  expect(await found()).not.toContain('check.ts')
})
