import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import { serveHttp } from '../src/surfaces/http/serve.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ken-settings-page-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let places = 0
let home: string
let folder: string
let ken: Ken

beforeEach(() => {
  const place = join(base, `place-${++places}`)
  folder = join(place, 'shop')
  mkdirSync(folder, { recursive: true })
  home = join(place, 'home', '.ken')
  ken = openKen({ ...process.env, HOME: join(place, 'home'), KEN_HOME: home, KEN_TELEMETRY: '0' }, () => {})
})
afterEach(() => ken.close())

const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!
const answer = (name: string, input: object = {}, surface: 'cli' | 'app' = 'app') =>
  call(ken.context({ origin: { surface }, cwd: folder }), operation(name), { ...input })
const output = async (name: string, input: object = {}) => (await answer(name, input)).output
const text = async (name: string, input: object = {}) =>
  answerText(operation(name), { ...(await answer(name, input, 'cli')), notice: '' }, 'pipe')

test('storage lists every part, and never marks an unknown file as removable', async () => {
  await output('memory_write', { content: 'Invoices go out every night.' })
  await output('memory_update')
  writeFileSync(join(home, 'mine.txt'), 'x'.repeat(5_000_000))
  const { parts, bytes } = (await output('storage')) as {
    parts: { name: string; bytes: number; removable: boolean }[]
    bytes: number
  }
  expect(parts[0]).toMatchObject({ name: 'mine.txt', bytes: 5_000_000, removable: false })
  expect(parts.find(({ name }) => name === 'index.db')).toMatchObject({ removable: true })
  expect(parts.find(({ name }) => name === 'memory')).toMatchObject({ removable: false })
  expect(bytes).toBe(parts.reduce((sum, one) => sum + one.bytes, 0))
  expect(await text('storage')).toMatch(/index\.db .* may be deleted: rebuilt from the files/)
})

test('the index is rebuilt from the files and returns the same results', async () => {
  await output('memory_write', { content: 'Invoices go out every night.' })
  await output('memory_update')
  const before = statSync(join(home, 'index.db')).ino
  const report = await output('reindex')
  expect(report).toMatchObject({ busy: false })
  expect(statSync(join(home, 'index.db')).ino).not.toBe(before)
  expect(JSON.stringify(await output('memory_search', { query: 'invoices' }))).toContain('Invoices go out')
})

test('a new token is readable by its owner only, and revokes the old one in a running server', async () => {
  expect(await text('token_show')).toContain('No token yet')
  const path = join(home, 'http-token')
  const server = await serveHttp({
    operations: [{ ...operation('storage'), hiddenFrom: {} }].map((one) => ({
      ...one,
      toolset: 'app' as const,
      command: ['storage'],
    })),
    toolsets: ['app'],
    version: '0',
    port: 0,
    tokenPath: path,
    context: async (origin) => ken.context({ origin, cwd: folder }),
  })
  const ask = async (token: string) =>
    (
      await fetch(`${server.url}/v1/storage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status
  const old = readFileSync(path, 'utf8').trim()
  expect(await ask(old)).toBe(200)
  const told = await output('token_renew')
  const fresh = readFileSync(path, 'utf8').trim()
  expect(fresh).not.toBe(old)
  expect(JSON.stringify(told)).not.toContain(fresh)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect([await ask(old), await ask(fresh)]).toEqual([401, 200])
  await server.close()
})

test('clients are listed with their status, and setup previews the exact change and reverts it byte for byte', async () => {
  const { clients } = (await output('clients_list')) as { clients: { client: string; connected: string[] }[] }
  expect(clients.map(({ client }) => client)).toContain('claude-code')
  expect(clients.every(({ connected }) => connected.length === 0)).toBe(true)
  const file = join(home, '..', '.cursor', 'mcp.json')
  mkdirSync(join(file, '..'), { recursive: true })
  const mine = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n'
  writeFileSync(file, mine)
  const input = { client: 'cursor', scope: 'user' }
  const { clients: dry } = (await output('setup', { ...input, dry_run: true })) as {
    clients: { files: { diff: string }[] }[]
  }
  expect(dry[0]!.files[0]!.diff).toMatch(/^\+.*"ken"/m)
  expect(readFileSync(file, 'utf8')).toBe(mine)
  await output('setup', input)
  const after = (await output('clients_list')) as {
    clients: { client: string; connected: string[]; files: string[] }[]
  }
  expect(after.clients.find(({ client }) => client === 'cursor')).toMatchObject({ connected: ['user'], files: [file] })
  await output('setup', { ...input, remove: true })
  expect(readFileSync(file, 'utf8')).toBe(mine)
})

test('reports that nothing leaves the machine until a setting names a recipient', async () => {
  expect(await text('privacy')).toContain('Nothing leaves this machine')
  await output('config_set', { name: 'model.name', value: 'openai:gpt-5-mini' })
  const told = await output('privacy')
  expect(told).toMatchObject({
    sent_by_itself: false,
    recipients: [{ what: 'language model', host: 'api.openai.com', here: false, setting: 'model.name' }],
  })
  expect(await text('privacy')).toMatch(/Text goes to:\n.*api\.openai\.com/)
})

test('a setting has its default and kind, so that it can be reset', async () => {
  const set = await output('config_set', { name: 'query.timeout', value: '12' })
  expect(set).toMatchObject({ value: 12, default: 30, kind: 'number', source: 'config' })
  expect(await output('config_unset', { name: 'query.timeout' })).toMatchObject({ value: 30, source: 'default' })
})

test('a key is accepted from a page but never as a command argument', async () => {
  const input = { provider: 'anthropic', key: 'not a key' }
  await expect(answer('key_set', input, 'cli')).rejects.toMatchObject({
    message: 'A key can’t be passed as an argument.',
  })
  await expect(answer('key_set', input)).rejects.toMatchObject({ message: expect.stringContaining('one line') })
})

test('tests a model by its name, and returns a hint with a problem', async () => {
  expect(await text('models_test')).toMatch(/embedder/)
  const { checks } = (await output('models_test', { model: 'compatible:none' })) as {
    checks: { ok: boolean; problem: string; hint: string }[]
  }
  expect(checks).toHaveLength(1)
  expect(checks[0]).toMatchObject({ ok: false, hint: expect.stringContaining('model.url') })
})
