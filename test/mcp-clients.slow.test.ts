import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'
import { buildMcpServer, type McpOptions } from '../src/surfaces/mcp/server.ts'

// Everything sent to a client reaches its model and is paid for: coding agents get the text once, programs also get the
// data.

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-clients-')))
let ken: Ken
let http: HttpServer
let options: Omit<McpOptions, 'surface'>

const ASKED = [
  ['get_context', {}],
  ['get_decision', { number: 2 }],
  ['list_decisions', {}],
  ['check_decision', { proposed_approach: 'Move background jobs to RabbitMQ' }],
  ['memory_query', { query: 'background jobs' }],
  ['memory_write', { content: 'Staging is reset every night.' }],
] as const

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' }, () => {})
  const context = async (origin: { surface: 'cli' } | Parameters<McpOptions['context']>[0]) =>
    ken.context({ origin, cwd: place })
  const init = OPERATIONS.find((op) => op.name === 'init')!
  await call(await context({ surface: 'cli' }), init, { name: 'shop', demo: true })
  options = { operations: OPERATIONS, toolsets: ['record', 'memory'], version: '0', context }
  http = await serveHttp({ ...options, port: 0, tokenPath: join(place, 'token') })
}, 60_000)

afterAll(async () => {
  await http.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

async function stdioClient(name: string): Promise<Client> {
  const server = buildMcpServer({ ...options, surface: 'mcp-stdio' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  const client = new Client({ name, version: '1' })
  await client.connect(theirs)
  return client
}

async function httpClient(name: string, userAgent: string): Promise<Client> {
  const client = new Client({ name, version: '1' })
  const headers = {
    authorization: `Bearer ${readFileSync(join(place, 'token'), 'utf8').trim()}`,
    'user-agent': userAgent,
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`), { requestInit: { headers } }))
  return client
}

async function answers(client: Client) {
  const given = []
  for (const [name, input] of ASKED) given.push(await client.callTool({ name, arguments: { ...input } }))
  await client.close()
  return given.map(({ content, structuredContent }) => ({
    texts: (content as { text: string }[]).map(({ text }) => text),
    data: structuredContent,
  }))
}

describe.each([
  ['over stdio', (name: string) => stdioClient(name)],
  ['over HTTP', (name: string) => httpClient(name, `${name}/1.2.3`)],
] as const)('%s', (_transport, open) => {
  test.each(['claude-code', 'codex-mcp-client', 'opencode', 'gemini-cli-mcp-client', 'github-copilot-developer'])(
    '%s gets the text once, and no data',
    async (name) => {
      for (const { texts, data } of await answers(await open(name))) {
        expect(data).toBeUndefined()
        expect(texts).toHaveLength(1)
        expect(texts[0]!.length).toBeGreaterThan(20)
      }
    },
  )

  test('a program gets the data beside the text', async () => {
    for (const { texts, data } of await answers(await open('my-program'))) {
      expect(texts).toHaveLength(1)
      expect(Object.keys(data as object).length).toBeGreaterThan(1)
    }
  })
})

test('a request without a session is identified by its user agent', async () => {
  const request = (userAgent: string) =>
    fetch(`${http.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(place, 'token'), 'utf8').trim()}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'user-agent': userAgent,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_decisions', arguments: {} },
      }),
    }).then((response) => response.text())
  expect(await request('claude-code/2.1.325 (cli)')).not.toContain('structuredContent')
  expect(await request('my-program/1')).toContain('structuredContent')
})

test('no tool declares structured output: with it, an answer without data violates the protocol', async () => {
  const client = await stdioClient('my-program')
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([])
})
