import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-http-')))
let ken: Ken
let server: HttpServer
let token: string

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  await call(
    ken.context({ origin: { surface: 'cli' }, cwd: place }),
    OPERATIONS.find((op) => op.name === 'init')!,
    { name: 'web' },
  )
  server = await serveHttp({
    operations: OPERATIONS,
    toolsets: ['record'],
    version: '0',
    port: 0,
    tokenPath: join(place, 'token'),
    context: async (origin) => ken.context({ origin, cwd: place }),
  })
  token = readFileSync(server.tokenPath, 'utf8').trim()
}, 60_000)

afterAll(async () => {
  await server.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

/** A raw request, because fetch does not allow setting Host. */
function ask(path: string, headers: Record<string, string>, body?: string): Promise<{ status: number; text: string }> {
  const { port } = new URL(server.url)
  return new Promise((done, failed) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', headers },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk)).on('end', () => done({ status: response.statusCode!, text }))
      },
    )
    asked.on('error', failed).end(body)
  })
}

test('requests without the token are rejected, and only its owner can read the token', async () => {
  expect((await ask('/v1/list_decisions', {}, '{}')).status).toBe(401)
  expect((await ask('/v1/list_decisions', { authorization: 'Bearer wrong' }, '{}')).status).toBe(401)
  expect((await ask('/mcp', {}, '{}')).status).toBe(401)
  expect((await ask('/v1/list_decisions', { authorization: `Bearer ${token}` }, '{}')).status).toBe(200)
  expect(statSync(server.tokenPath).mode & 0o077).toBe(0)
})

test('a page in a browser cannot use the server, even with the token', async () => {
  const authorization = `Bearer ${token}`
  expect((await ask('/v1/list_decisions', { authorization, host: 'evil.example' }, '{}')).status).toBe(403)
  expect((await ask('/v1/list_decisions', { authorization, origin: 'https://evil.example' }, '{}')).status).toBe(403)
  expect((await ask('/v1/list_decisions', { authorization, origin: 'null' }, '{}')).status).toBe(403)
  expect((await ask('/v1/list_decisions', { authorization, origin: 'http://localhost:3000' }, '{}')).status).toBe(200)
})

test('failures return the status of their error code and the next step', async () => {
  const authorization = `Bearer ${token}`
  expect(await ask('/v1/get_decision', { authorization }, '{"number":99}')).toMatchObject({
    status: 404,
    text: expect.stringContaining('"hint"'),
  })
  expect((await ask('/v1/get_decision', { authorization }, '{"number":"x"}')).status).toBe(400)
  expect((await ask('/v1/get_decision', { authorization }, 'not json')).status).toBe(400)
  expect((await ask('/v1/get_raw_file', { authorization }, '{"path":"../registry.json"}')).status).toBe(403)
  expect((await ask('/nowhere', { authorization })).status).toBe(404)
})

test('operations that need a person at a terminal are not served', async () => {
  expect((await ask('/v1/init', { authorization: `Bearer ${token}` }, '{}')).status).toBe(404)
  const { paths } = JSON.parse((await ask('/openapi.json', { authorization: `Bearer ${token}` })).text)
  expect(Object.keys(paths)).toContain('/v1/check_decision')
  expect(Object.keys(paths)).not.toContain('/v1/init')
})

test('health answers without a token, for supervisors', async () => {
  expect(await ask('/health', {})).toMatchObject({ status: 200 })
})

test('the journal names a client that identifies itself only when it connects', async () => {
  const post = async (method: string, params: object, session?: string) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  const connect = async (name: string) => {
    const clientInfo = { name, version: '1.2' }
    const answer = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    expect(answer.status).toBe(200)
    return answer.headers.get('mcp-session-id')!
  }
  const note = async (delta: string, session?: string) => {
    const answer = await post('tools/call', { name: 'update_state', arguments: { delta } }, session)
    expect(await answer.text()).not.toContain('isError')
  }
  const [first, second] = [await connect('first-agent'), await connect('second "agent"')]
  await note('one', first)
  await note('two', second)
  await note('three', first)
  await note('four')
  await note('five', 'not.one-of-ours')
  const store = await ken.context({ origin: { surface: 'cli' }, cwd: place }).record()
  const origins = (await store.journal()).slice(-5).map(({ origin }) => [origin.client, origin.client_version])
  expect(origins).toEqual([
    ['first-agent', '1.2'],
    ['second "agent"', '1.2'],
    ['first-agent', '1.2'],
    [undefined, undefined],
    [undefined, undefined],
  ])
})
