import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workspaceHash } from '../src/kernel/domain/workspace.ts'
import { envelopeOf, HOSTILE, RAW } from './hostile-text.ts'
import { KEN } from './ken-program.ts'

// Hostile documents, sessions, context files and database rows, queried as people and agents do.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-sources-')))
const shop = join(place, 'shop')
const home = join(place, 'home')
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const ken = (...words: string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, [KEN, ...words], {
    cwd: shop,
    env: environment,
    encoding: 'utf8',
  })
  return stdout + stderr
}
let client: Client

beforeAll(async () => {
  mkdirSync(join(shop, '.git'), { recursive: true })
  execFileSync(process.execPath, [KEN, 'init', 'shop'], { cwd: shop, env: environment })
  put(join(place, 'docs', 'retry.md'), `# Retry policy\n\nThe zebra queue retries. ${HOSTILE}\n`)
  put(
    join(home, 'sessions', workspaceHash(shop), 'one.md'),
    `---\nsession: "one"\nclient: "codex"\nstarted: "2026-02-03T10:00:00.000Z"\nended: "2026-02-03T11:00:00.000Z"\n---\n# one\n\n## User\n\nThe zebra service leaks. ${HOSTILE}\n`,
  )
  put(join(shop, 'RULES.md'), `# Rules\n\nzebra ${HOSTILE}\n`)
  const database = new DatabaseSync(join(shop, 'shop.db'))
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)')
  database.prepare('INSERT INTO orders VALUES (1, ?)').run(HOSTILE)
  database.close()
  put(join(shop, 'lookml', 'a.view.lkml'), `view: zebra_crossing { description: ${JSON.stringify(HOSTILE)} }`)
  put(join(shop, 'lookml', '\u001b[2J\u202e.view.lkml'), `view: \u001b]0;x\u0007 `)
  put(
    join(shop, 'ken.yaml'),
    'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\nlooker: { path: lookml }\n',
  )
  ken('collection', 'add', 'docs', join(place, 'docs'))
  ken('trust', '--yes')
  expect(ken('sync')).not.toMatch(RAW)
  ken('update')
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'record,memory,data,code'],
      cwd: shop,
      env: environment,
      stderr: 'pipe',
    }),
  )
}, 120_000)
afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

const ASKED: readonly (readonly [string, Record<string, unknown>, string[], RegExp])[] = [
  ['memory_get', { id: 'docs/retry.md' }, ['get', 'docs/retry.md'], /^origin="memory" trust="untrusted" /],
  [
    'memory_multi_get',
    { pattern: '**/docs/retry.md, **/one.md' },
    ['multi-get', '**/docs/retry.md, **/one.md'],
    /^origin="memory" trust="as marked" /,
  ],
  ['memory_search', { query: 'zebra' }, ['search', 'zebra'], /^origin="memory" trust="as marked" /],
  [
    'memory_query',
    { query: 'which zebra leaks', origin: ['session'] },
    ['query', 'which zebra leaks', '--origin', 'session'],
    /^origin="memory" trust="learned" /,
  ],
  ['read_file', { path: 'RULES.md' }, ['read-file', 'RULES.md'], /^origin="context" trust="compiled" /],
  [
    'read_file',
    { path: 'docs/looker/looker/views/zebra_crossing.md' },
    ['read-file', 'docs/looker/looker/views/zebra_crossing.md'],
    /^origin="context" trust="compiled" /,
  ],
  ['grep_files', { pattern: 'zebra' }, ['grep-files', 'zebra'], /^origin="context" trust="compiled" /],
  ['describe_table', { table: 'orders' }, ['describe-table', 'orders'], /^origin="context" trust="compiled" /],
  ['list_tables', {}, ['list-tables'], /^origin="context" trust="compiled" /],
  [
    'execute_sql',
    { sql: 'SELECT note FROM orders' },
    ['sql', 'SELECT note FROM orders'],
    /^origin="database" trust="untrusted" /,
  ],
]

describe.each(ASKED)('%s', (name, input, words, attributes) => {
  test('is labelled over MCP, as text and as data', async () => {
    const result = await client.callTool({ name, arguments: input })
    const text = (result.content as { text: string }[])[0]!.text
    expect(text).not.toMatch(RAW)
    expect(envelopeOf(text).attributes).toMatch(attributes)
    expect(JSON.stringify(result.structuredContent)).not.toMatch(RAW)
    expect((result.structuredContent as { label: string }).label).toMatch(/: data, not instructions$/)
  })

  test('is labelled when a command prints it, and cannot control the terminal', () => {
    const text = ken(...words)
    expect(text).not.toMatch(RAW)
    expect(envelopeOf(text).attributes).toMatch(attributes)
    const json = ken(...words, '--json')
    expect(json).not.toMatch(RAW)
    expect(JSON.parse(json).label).toMatch(/: data, not instructions$/)
  })
})

test("a refusal is Ken's own text and is outside any envelope", () => {
  expect(ken('sql', 'DROP TABLE orders')).toMatch(/^Not run: /)
})

test.each([
  [
    'propose_decision',
    { title: 'Use\u001b[2J Redis', rationale: 'A reason that is long enough.' },
    'The title contains U+001B (escape) at character 4. Remove it.',
  ],
  [
    'propose_decision',
    { title: 'Use Redis', rationale: `A reason that is long enough.\u{e0069}` },
    'The rationale contains U+E0069 (an invisible tag character) at character 30. Remove it.',
  ],
  [
    'propose_decision',
    {
      title: 'Use Redis',
      rationale: 'A reason that is long enough.',
      rejected: [{ alternative: 'A\u202eB', reason: 'no' }],
    },
    'The name of a rejected alternative contains U+202E (a change of writing direction) at character 2. Remove it.',
  ],
  [
    'flag_question',
    { question: 'Why pay\u200bpal?' },
    'The question contains U+200B (an invisible character) at character 8. Remove it.',
  ],
  [
    'update_state',
    { delta: 'Done.\u009b31m' },
    'The state contains U+009B (a control character) at character 6. Remove it.',
  ],
  ['memory_write', { content: 'x\u0007' }, 'The note contains U+0007 (a control character) at character 2. Remove it.'],
])('%s refuses an invisible character, by name and place', async (name, input, line) => {
  const result = await client.callTool({ name, arguments: input })
  expect((result.content as { text: string }[])[0]!.text).toContain(line)
})

test('a byte order mark, Windows line ends, emoji and joined scripts are accepted', async () => {
  const proposal = {
    title: '\ufeffShip 👩\u200d💻 می\u200cخواهم',
    rationale: 'First line that is long enough.\r\nSecond line.',
  }
  expect((await client.callTool({ name: 'propose_decision', arguments: proposal })).structuredContent).toMatchObject({
    status: 'confirmed',
  })
  expect(ken('get-decision', '2', '--json')).toContain('# 002 — Ship 👩\u200d💻 می\u200cخواهم')
})
