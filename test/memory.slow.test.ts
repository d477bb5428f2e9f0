import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workspaceHash } from '../src/kernel/domain/workspace.ts'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-memory-')))
const home = join(place, 'home')
const repository = join(place, 'shop')
// Without upkeep: a server that runs longer than its start delay would index at the same time as these tests'
// processes.
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }
let client: Client

const ken = (...argv: string[]): Record<string, never> =>
  JSON.parse(
    execFileSync(process.execPath, [KEN, ...argv, '--json'], { cwd: repository, env: environment, encoding: 'utf8' }),
  )
const file = (path: string, text: string) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
const session = (workspace: string, name: string, text: string) =>
  file(
    join(home, 'sessions', workspace, `${name}.md`),
    `---\nsession: "${name}"\nclient: "codex"\nstarted: "2026-02-03T10:00:00.000Z"\nended: "2026-02-03T11:00:00.000Z"\n---\n# ${name}\n\n## User\n\n${text}\n`,
  )

interface Result {
  path: string
  id: string
  origin: string
  trust: string
  snippet: string
  start_line: number
  superseded_by?: string
  [field: string]: unknown
}

const call = async (name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input })
  const [block] = result.content as { text: string }[]
  return {
    isError: result.isError === true,
    text: block?.text ?? '',
    data: result.structuredContent as Record<string, never> & { results: Result[] },
  }
}
const found = async (query: string, more: Record<string, unknown> = {}, tool = 'memory_search') =>
  (await call(tool, { query, ...more })).data.results

beforeAll(async () => {
  mkdirSync(join(repository, '.git'), { recursive: true })
  execFileSync(process.execPath, [KEN, 'init', 'shop', '--demo'], { cwd: repository, env: environment })
  file(
    join(place, 'docs', 'retry.md'),
    '---\ntitle: Retry policy\ntags: [ops, net]\ndate: 2025-06-01\n---\n# Retry policy\n\nIntro.\n\n## Payments\n\nThe payment queue uses exponential retry_backoff with jitter.\n',
  )
  file(
    join(place, 'docs', 'deep', 'old.md'),
    '---\nstatus: superseded\nsuperseded_by: retry.md\n---\n# Old retry policy\n\nPayment retries were linear: retry_backoff was unknown.\n',
  )
  file(join(place, 'docs', 'notes.txt'), 'retry_backoff in a file that the pattern leaves out')
  session(workspaceHash(repository), 'here', 'The zebra service leaks sockets here')
  session('0123456789ab', 'elsewhere', 'The zebra service leaks sockets elsewhere')
  ken('collection', 'add', 'docs', join(place, 'docs'))
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'memory'],
      cwd: repository,
      env: environment,
      stderr: 'pipe',
    }),
  )
  await call('memory_update')
}, 120_000)

afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

describe('the memory tools over stdio', () => {
  test('are offered with a schema of less than 12 KB', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'memory_search',
        'memory_vsearch',
        'memory_query',
        'memory_get',
        'memory_multi_get',
        'memory_write',
        'memory_status',
        'memory_update',
      ]),
    )
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12 * 1024)
  })

  test('memory_search finds by words and returns place, text and confidence', async () => {
    const [first] = await found('payment retry_backoff')
    expect(first).toMatchObject({
      title: 'Retry policy',
      origin: 'document',
      trust: 'untrusted',
      collection: 'docs',
      verdict: 'strong',
      found_by: 'words',
      tags: ['ops', 'net'],
      modified: '2025-06-01T00:00:00.000Z',
    })
    expect(first!.path).toBe(join(place, 'docs', 'retry.md'))
    expect(first!.snippet).toContain('exponential retry_backoff')
    const lines = readFileSync(first!.path, 'utf8')
      .split('\n')
      .slice(first!.start_line - 1, first!['end_line'] as number)
    expect(lines.join('\n')).toContain('exponential retry_backoff')
  })

  test('a superseded document ranks below its successor and is marked', async () => {
    const results = (await found('payment retry_backoff')).filter(({ origin }) => origin === 'document')
    expect(results.map((one) => one.superseded_by)).toEqual([undefined, 'retry.md'])
  })

  test('decisions and questions are in the same index, approved by a person', async () => {
    const results = await found('RabbitMQ background jobs', { limit: 20 })
    expect(results.find(({ origin }) => origin === 'decision')).toMatchObject({
      trust: 'approved',
      collection: 'record',
    })
  })

  test('a search stays in this workspace by default', async () => {
    const names = (results: Result[]) => results.map(({ path }) => path.split('/').at(-1))
    expect(names(await found('zebra sockets'))).toEqual(['here.md'])
    expect(names(await found('zebra sockets', { workspace: 'all' })).toSorted()).toEqual(['elsewhere.md', 'here.md'])
    expect(names(await found('zebra sockets', { workspace: '0123456789ab' }))).toEqual(['elsewhere.md'])
    expect(names(await found('zebra sockets', { workspace: 'all', tags: ['ops'] }))).toEqual([])
    const unknown = await call('memory_search', { query: 'x', workspace: 'nowhere' })
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('No workspace named "nowhere"') })
  })

  test.each(['memory_search', 'memory_vsearch', 'memory_query'])(
    '%s narrows by collection, origin, tags and time',
    async (tool) => {
      const paths = async (more: Record<string, unknown>) =>
        (await found('retry_backoff zebra', { workspace: 'all', limit: 50, min_score: 0, ...more }, tool)).map(
          ({ origin }) => origin,
        )
      expect(new Set(await paths({ collection: ['docs'] }))).toEqual(new Set(['document']))
      expect(new Set(await paths({ origin: ['session'] }))).toEqual(new Set(['session']))
      expect(await paths({ tags: ['OPS'] })).toHaveLength(1)
      expect(await paths({ since: '2026-02-03', until: '2026-02-03' })).toEqual(['session', 'session'])
      expect(await paths({ until: '2025-06-01' })).toEqual(['document'])
    },
  )

  const odd = [
    '',
    '   ',
    '"',
    "it's",
    'foo-bar -baz',
    'AND OR NOT NEAR(',
    'title:x path:y',
    '*',
    '(((',
    '日本語の検索',
    'עברית',
    '🦓',
    '\u0000',
    "'; DROP TABLE document; --",
    'x'.repeat(10_000),
    'zebra '.repeat(1_600),
  ]
  test.each(odd.map((query) => [query.slice(0, 20), query]))('treats %j literally', async (_shown, query) => {
    for (const tool of ['memory_search', 'memory_vsearch', 'memory_query'])
      expect(await call(tool, { query })).toMatchObject({ isError: false })
  })

  test('memory_get reads lines of a hit, by id, path or collection', async () => {
    const [first] = await found('exponential retry_backoff')
    for (const id of [first!.id, first!.path, 'docs/retry.md']) {
      const { data } = await call('memory_get', { id, from_line: 6, max_lines: 3 })
      expect(data).toMatchObject({ start_line: 6, end_line: 8, text: '# Retry policy\n\nIntro.\n' })
    }
    expect(await call('memory_get', { id: '/etc/passwd' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no document'),
    })
  })

  test('memory_multi_get accepts lists and globs and stays within its byte limit', async () => {
    const documents = async (input: Record<string, unknown>) =>
      (await call('memory_multi_get', input)).data as unknown as {
        documents: { path: string }[]
        left_out: string[]
        missing: string[]
      }
    expect((await documents({ pattern: 'docs/**/*.md' })).documents).toHaveLength(2)
    expect(await documents({ pattern: 'docs/retry.md, docs/nope.md' })).toMatchObject({
      documents: [{ title: 'Retry policy' }],
      missing: ['docs/nope.md'],
    })
    expect(await documents({ pattern: 'docs/{retry,deep/old}.md', max_bytes: 100 })).toMatchObject({
      documents: [{}],
      left_out: [expect.any(String)],
    })
  })

  test('text from memory_write is found at once, without its secrets', async () => {
    const secret = ['gh', 'p_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'].join('')
    const { data } = await call('memory_write', {
      content: `The quokka cluster token is ${secret}`,
      target: 'memory',
      tags: ['cluster'],
    })
    expect(data).toMatchObject({ redacted: 1, path: join(home, 'memory', 'MEMORY.md') })
    expect(readFileSync(join(home, 'memory', 'MEMORY.md'), 'utf8')).not.toContain(secret)
    expect(await found('quokka cluster', { tags: ['cluster'] })).toMatchObject([{ origin: 'note', trust: 'learned' }])
    await call('memory_write', { content: 'A wombat log entry' })
    expect((await found('wombat'))[0]!.path).toMatch(/memory\/\d{4}-\d{2}-\d{2}\.md$/)
  })

  test('memory_update applies collections added and removed while the server runs', async () => {
    file(join(place, 'more', 'ibex.md'), '# Ibex\n\nThe ibex climbs.\n')
    const config = readFileSync(join(home, 'config.yml'), 'utf8')
    writeFileSync(join(home, 'config.yml'), `${config}  extra:\n    path: ${join(place, 'more')}\n`)
    expect((await call('memory_update')).data).toMatchObject({ added: 1, busy: false })
    expect(await found('ibex')).toHaveLength(1)
    writeFileSync(join(home, 'config.yml'), config)
    expect((await call('memory_update')).data).toMatchObject({ removed: 1 })
    expect(await found('ibex')).toEqual([])
  })

  test('memory_update notices changed and deleted files and skips the rest', async () => {
    const path = join(place, 'docs', 'gnu.md')
    file(path, '# Gnu\n\nfirst\n')
    expect((await call('memory_update')).data).toMatchObject({ added: 1, changed: 0 })
    file(path, '# Gnu\n\nsecond thing\n')
    expect((await call('memory_update')).data).toMatchObject({ added: 0, changed: 1 })
    utimesSync(path, new Date(), new Date())
    expect((await call('memory_update')).data).toMatchObject({ added: 0, changed: 0, removed: 0 })
    rmSync(path)
    expect((await call('memory_update')).data).toMatchObject({ removed: 1 })
  })

  test('a snippet of a changed file is taken from the current position of the part', async () => {
    const path = join(place, 'docs', 'moved.md')
    file(path, '# Moved\n\n## Okapi\n\nThe okapi eats leaves.\n')
    await call('memory_update')
    file(path, `# Moved\n\n${'New line above.\n\n'.repeat(40)}## Okapi\n\nThe okapi eats leaves.\n`)
    const [first] = await found('okapi')
    expect(first!.snippet).toContain('The okapi eats leaves.')
    rmSync(path)
    await call('memory_update')
  })

  test('memory_status counts by collection and workspace', async () => {
    const { data } = await call('memory_status')
    expect(data).toMatchObject({ by_collection: { docs: 2, sessions: 2 }, by_workspace: { '0123456789ab': 1 } })
  })

  test('a deleted index is rebuilt identically', async () => {
    const ask = () => ken('search', 'payment retry_backoff zebra', '--workspace', 'all', '--limit', '50')
    const before = ask()
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, `index.db${suffix}`), { force: true })
    ken('update')
    expect(ask()).toEqual(before)
  })
})

describe('several processes', () => {
  const update = () =>
    spawn(process.execPath, [KEN, 'update', '--json'], {
      cwd: repository,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })

  test('while one indexes, two search; when it is killed, the next takes over', async () => {
    for (let i = 0; i < 1500; i++)
      file(
        join(place, 'docs', 'many', `${i}.md`),
        `# Page ${i}\n\n${`The capybara number ${i} swims in the lake. `.repeat(60)}\n`,
      )
    const indexing = update()
    const search = () =>
      ken('search', 'exponential retry_backoff', '--collection', 'docs') as unknown as { results: Result[] }
    expect(search().results[0]!.path).toContain('retry.md')
    indexing.kill('SIGKILL')
    await once(indexing, 'exit')
    expect(ken('update')).toMatchObject({ busy: false })
    expect((ken('search', 'capybara', '--limit', '100') as unknown as { results: Result[] }).results).toHaveLength(100)
    expect(ken('memory-status')).toMatchObject({ by_collection: { docs: 1502 } })
  }, 120_000)

  test('two processes that write notes concurrently lose none', async () => {
    const writers = Array.from({ length: 4 }, (_, n) =>
      spawn(process.execPath, [KEN, 'write', `Marmot number ${'abcd'[n]} says hello`], {
        cwd: repository,
        env: environment,
      }),
    )
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))
    expect(codes).toEqual([0, 0, 0, 0])
    const day = readFileSync(join(home, 'memory', `${new Date().toISOString().slice(0, 10)}.md`), 'utf8')
    expect(day.match(/Marmot number [abcd] says hello/g)).toHaveLength(4)
  }, 120_000)
})
