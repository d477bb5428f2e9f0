import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'
import { buildMcpServer } from '../src/surfaces/mcp/server.ts'

// Through the servers, with a real record and index: a sloppy call gets the answer of the strict one, and an unknown
// value gets a list of the existing ones.

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-sloppy-')))
const repository = join(place, 'shop')
let ken: Ken
let http: HttpServer
let mcp: Client

type Input = Record<string, unknown>

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' }, () => {})
  mkdirSync(join(repository, 'docs'), { recursive: true })
  mkdirSync(join(place, 'empty'))
  writeFileSync(join(repository, 'docs/queue.md'), '# Queue\n\nfirst line of the queue\nsecond line\nthird line\n')
  const context = async (origin: Context['origin']) => ken.context({ origin, cwd: repository })
  const run = async (name: string, input: Input) =>
    call(
      await context({ surface: 'cli' }),
      OPERATIONS.find((op) => op.name === name)!,
      input,
    )
  await run('init', { name: 'shop', demo: true })
  await run('collection_add', { name: 'guides', path: 'docs' })
  await run('memory_write', { content: 'Staging is reset every night.', tags: ['staging', 'ops'] })
  await run('flag_question', { question: 'Do we ship abroad?' })
  const options = { operations: OPERATIONS, toolsets: ['record', 'memory'] as const, version: '0', context }
  http = await serveHttp({ ...options, port: 0, tokenPath: join(place, 'token') })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await buildMcpServer({ ...options, surface: 'mcp-stdio' }).connect(ours)
  mcp = new Client({ name: 'my-program', version: '1' })
  await mcp.connect(theirs)
}, 60_000)

afterAll(async () => {
  await mcp.close()
  await http.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

const overMcp = async (name: string, input: unknown) => {
  const { content, structuredContent, isError } = await mcp.callTool({ name, arguments: input as Input })
  return isError === true ? { error: (content as { text: string }[])[0]!.text } : structuredContent
}

const overHttp = async (name: string, input: unknown) => {
  const response = await fetch(`${http.url}/v1/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readFileSync(join(place, 'token'), 'utf8').trim()}` },
    body: JSON.stringify(input),
  })
  const body = (await response.json()) as { error?: { message: string; hint?: string } }
  return body.error === undefined || response.ok
    ? body
    : { error: [body.error.message, body.error.hint].filter(Boolean).join(' ') }
}

describe.each([
  ['MCP', overMcp],
  ['HTTP', overHttp],
] as const)('over %s', (_surface, ask) => {
  test.each([
    [
      'memory_search',
      { q: 'queue', max_results: '5', collections: 'Guides' },
      { query: 'queue', limit: 5, collection: ['guides'] },
    ],
    ['memory_search', { input: { query: 'queue', origin: null, tags: [], since: '' } }, { query: 'queue' }],
    ['memory_search', { query: 'queue', workspace: 'ALL' }, { query: 'queue', workspace: 'all' }],
    ['memory_search', { query: 'queue', workspace: './' }, { query: 'queue', workspace: repository }],
    ['memory_search', { query: 'queue', workspace: '~/shop/' }, { query: 'queue', workspace: repository }],
    ['memory_search', { query: 'queue', collection: '*' }, { query: 'queue' }],
    ['memory_search', { query: 'staging', tags: 'Staging, ops' }, { query: 'staging', tags: ['staging', 'ops'] }],
    ['memory_get', { path: `${repository}/docs/queue.md:3-4` }, { id: 'guides/queue.md', from_line: 3, max_lines: 2 }],
    ['memory_get', { id: './docs/queue.md' }, { id: 'guides/queue.md' }],
    ['memory_get', { id: '~/shop/docs/queue.md#L4-L5' }, { id: 'guides/queue.md', from_line: 4, max_lines: 2 }],
    ['memory_get', { id: 'guides/queue.md:3' }, { id: 'guides/queue.md', from_line: 3 }],
    ['memory_multi_get', { ids: ['./docs/queue.md'] }, { pattern: 'guides/queue.md' }],
    ['get_decision', { id: 'decision 2' }, { number: 2 }],
    ['get_decision', { number: 'D002', mode: 'HEADER' }, { number: 2, mode: 'header' }],
    ['list_decisions', { limit: '3', includeSuperseded: 'yes' }, { limit: 3, include_superseded: true }],
    [
      'check_decision',
      { approach: 'Use RabbitMQ', files: 'src/db/a.ts' },
      { proposed_approach: 'Use RabbitMQ', files: ['src/db/a.ts'] },
    ],
    ['get_context', JSON.stringify({ level: 'l1' }), { level: 'L1' }],
  ] as const)('%s takes %j', async (name, sloppy, strict) => {
    // Arguments given as text are not a valid call over MCP.
    if (typeof sloppy === 'string' && ask === overMcp) return
    const wanted = await ask(name, strict)
    expect(wanted).not.toHaveProperty('error')
    expect(await ask(name, sloppy)).toEqual(wanted)
  })

  test('ages, dates and names of days are accepted as times', async () => {
    for (const since of ['7 days', '24h', 'yesterday', 'last week', '2020-01-01', '3 Jan 2020'])
      expect(await ask('memory_search', { query: 'staging', since })).toMatchObject({
        verdict: expect.stringMatching(/strong|related|weak/),
      })
    expect(await ask('memory_search', { query: 'staging', until: 'last year' })).toMatchObject({
      results: [],
      notes: ['no document here is of that time'],
    })
    expect(await ask('memory_search', { query: 'staging', since: '01/02/2026' })).toEqual({
      error:
        'since: "01/02/2026" is not a date. Use 2026-01-31, a full ISO time, an age such as 7d, 24h or 2 weeks, or yesterday.',
    })
  })

  test('the id of a hit is accepted as printed', async () => {
    const found = (await ask('memory_search', { query: 'queue', collection: ['guides'] })) as {
      results: { id: string }[]
    }
    const id = found.results[0]!.id
    const whole = await ask('memory_get', { id })
    for (const form of [`#${id}`, ` ${id} `, `\`${id}\``, id.toUpperCase()])
      expect(await ask('memory_get', { id: form })).toEqual(whole)
  })

  test('a value above the maximum gets a notice', async () => {
    expect(await ask('memory_search', { query: 'queue', limit: 100_000 })).toMatchObject({
      notice: 'limit is at most 100, and was read as that.',
    })
  })

  test('min_score leaves out lower results, with a note', async () => {
    expect(await ask('memory_search', { query: 'queue', collection: 'guides', minScore: 1e9 })).toMatchObject({
      results: [],
      verdict: 'none',
      notes: ['1 result below min_score 1000000000 left out'],
    })
  })

  test.each([
    ['memory_search', { query: 'x', collection: 'guide' }, 'No collection named "guide". Available: guides, '],
    ['memory_search', { query: 'x', workspace: 'shopp' }, 'No workspace named "shopp". Available: shop.'],
    ['memory_search', { query: 'x', workspace: 'abcdefabcdef' }, 'No workspace named "abcdefabcdef". Available: shop.'],
    ['memory_search', { query: 'x', workspace: '~/nowhere' }, 'No workspace named "~/nowhere". Available: shop.'],
    ['memory_search', { query: 'x', origin: 'mail' }, 'origin must be one of decision, question, note'],
    ['memory_get', { id: 'elsewhere/queue.md' }, `Files with that name: ${repository}/docs/queue.md.`],
    ['memory_get', { id: 'abcdefabcdef' }, 'The index has no document "abcdefabcdef" for this workspace. Use the id'],
    ['get_decision', { number: 99 }, 'There is no decision D099. The newest is D009; list_decisions lists them.'],
    ['get_decision', { number: 'D1, D2' }, 'number: say it like 42 or d_7x2m9qk.'],
    ['memory_get', { ids: ['a', 'b'] }, 'id must be one text.'],
  ] as const)('%s %j lists the existing values', async (name, input, line) => {
    expect((await ask(name, input)) as { error: string }).toMatchObject({ error: expect.stringContaining(line) })
  })

  test('an unknown tag gets a note with the existing tags', async () => {
    expect(await ask('memory_search', { query: 'staging', tags: ['stage'] })).toMatchObject({
      results: [],
      notes: ['no document here has the tag "stage". Available: staging, ops.'],
    })
  })

  test('an unknown question gets an error with the open questions', async () => {
    expect(await ask('flag_question', { resolved_by: 'decision 2', targets: 'Q77' })).toMatchObject({
      status: 'rejected',
      error: { reason: 'There is no question Q77. Open: Q1.' },
    })
  })

  test('an empty scope gets a note', async () => {
    const answer = await ask('memory_search', { query: 'queue', collection: 'codebase' })
    expect(answer).toMatchObject({ results: [], notes: [expect.stringContaining('nothing is indexed in this scope')] })
  })
})
