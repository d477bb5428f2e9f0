import { spawn, execFileSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workspaceHash } from '../src/kernel/domain/workspace.ts'
import { KEN } from './ken-program.ts'

// Two repositories of one user, and one HTTP server started in the first.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-places-')))
const home = join(place, 'home')
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }
const [alpha, beta] = [join(place, 'alpha'), join(place, 'beta')]
const servers: ChildProcess[] = []
let url: string

async function serve(...flags: string[]): Promise<string> {
  const child = spawn(process.execPath, [KEN, 'serve', '--http', '--port', '0', ...flags], {
    cwd: alpha,
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  servers.push(child)
  let said = ''
  for await (const chunk of child.stderr!) {
    said += String(chunk)
    const listening = /listens on (\S+)[\s\S]*Token/.exec(said)?.[1]
    if (listening !== undefined) return listening
  }
  throw new Error(said)
}

beforeAll(async () => {
  for (const repository of [alpha, beta]) {
    mkdirSync(join(repository, '.git'), { recursive: true })
    execFileSync(process.execPath, [KEN, 'init', repository.split('/').at(-1)!, '--demo'], {
      cwd: repository,
      env: environment,
    })
    const sessions = join(home, 'sessions', workspaceHash(repository))
    mkdirSync(sessions, { recursive: true })
    writeFileSync(
      join(sessions, 'talk.md'),
      `---\nsession: "talk"\nclient: "codex"\nstarted: "2026-02-03T10:00:00.000Z"\nended: "2026-02-03T11:00:00.000Z"\n---\n# talk\n\n## User\n\nThe walrus of ${repository}\n`,
    )
  }
  execFileSync(process.execPath, [KEN, 'update'], { cwd: alpha, env: environment })
  url = await serve()
}, 120_000)

afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM')
  rmSync(place, { recursive: true, force: true })
})

const bearer = () => ({ authorization: `Bearer ${readFileSync(join(home, 'http-token'), 'utf8').trim()}` })
async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  at = url,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${at}${path}`, {
    method: 'POST',
    headers: { ...bearer(), ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

async function tool(
  name: string,
  input: Record<string, unknown>,
  { headers = {}, query = '', at = url }: { headers?: Record<string, string>; query?: string; at?: string } = {},
) {
  const client = new Client({ name: 'neighbour', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${at}/mcp${query}`), {
      requestInit: { headers: { ...bearer(), ...headers } },
    }),
  )
  const result = await client.callTool({ name, arguments: input })
  const resources = await client.listResources().then(
    (list) => list.resources.length,
    () => 0,
  )
  await client.close()
  return {
    isError: result.isError === true,
    text: (result.content as { text: string }[])[0]!.text,
    data: result.structuredContent as Record<string, unknown> | undefined,
    resources,
  }
}

const READS: [string, Record<string, unknown>][] = [
  ['get_context', {}],
  ['list_decisions', {}],
  ['memory_search', { query: 'walrus' }],
  ['memory_multi_get', { pattern: '**' }],
  ['memory_status', {}],
]

describe('a request that names no project', () => {
  test.each(READS)('%s is refused over REST and MCP, with an explanation of how to name one', async (name, input) => {
    expect(await post(`/v1/${name}`, input)).toMatchObject({
      status: 400,
      text: expect.stringMatching(/project_id.*X-Ken-Project/),
    })
    const answer = await tool(name, input)
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/names no project.*X-Ken-Project/),
      resources: 0,
    })
  })

  test('may still list the projects', async () => {
    const { status, text } = await post('/v1/list_projects', {})
    expect(status).toBe(200)
    expect(
      JSON.parse(text)
        .projects.map((one: { name: string }) => one.name)
        .toSorted(),
    ).toEqual(['alpha', 'beta'])
  })
})

describe('a request that names its project', () => {
  const ways = [
    ['a header', { headers: { 'x-ken-project': 'beta' } }, {}],
    ['the directory in a header', { headers: { 'x-ken-directory': beta } }, {}],
    ['the URL', { query: '?project=beta' }, {}],
    ['the directory in the URL', { query: `?directory=${encodeURIComponent(beta)}` }, {}],
    ['an argument', {}, { project_id: 'beta' }],
    ['an argument against the header', { headers: { 'x-ken-project': 'alpha' } }, { project_id: 'beta' }],
    ['the URL against the header', { headers: { 'x-ken-project': 'alpha' }, query: '?project=beta' }, {}],
  ] as const

  test.each(ways)(
    'gets only that project if it is named by %s',
    async (_way, { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string }, argument) => {
      const rest = await post(`/v1/check_decision${query}`, { proposed_approach: 'RabbitMQ', ...argument }, headers)
      expect(JSON.parse(rest.text)).toMatchObject({ project: { name: 'beta' } })
      expect(
        (await tool('check_decision', { proposed_approach: 'RabbitMQ', ...argument }, { headers, query })).data,
      ).toMatchObject({ project: { name: 'beta' } })
      for (const text of [
        (await post(`/v1/memory_multi_get${query}`, { pattern: '**', max_bytes: 1_000_000, ...argument }, headers))
          .text,
        (await tool('memory_multi_get', { pattern: '**', max_bytes: 1_000_000, ...argument }, { headers, query })).text,
      ]) {
        expect(text).toContain(`The walrus of ${beta}`)
        expect(text).not.toContain(`The walrus of ${alpha}`)
      }
    },
  )

  test('gets an error line for an unknown name or folder', async () => {
    expect(await post('/v1/get_context', {}, { 'x-ken-project': 'gamma' })).toMatchObject({
      status: 404,
      text: expect.stringContaining('No project named \\"gamma\\"'),
    })
    for (const directory of ['beta', '../beta', join(place, 'nowhere'), `${beta}\u0001`]) {
      expect((await post(`/v1/get_context?directory=${encodeURIComponent(directory)}`, {})).status).toBe(400)
    }
    expect((await post(`/v1/get_context?directory=${encodeURIComponent(`${beta}\0`)}`, {})).status).toBe(400)
  })
})

describe('a server bound to a project at its start', () => {
  test.each(['alpha', '.', alpha])(
    '--project %s is the default for requests that name none, and others can be named',
    async (named) => {
      const bound = await serve('--project', named)
      expect(JSON.parse((await post('/v1/check_decision', { proposed_approach: 'x' }, {}, bound)).text)).toMatchObject({
        project: { name: 'alpha' },
      })
      expect((await tool('check_decision', { proposed_approach: 'x' }, { at: bound })).data).toMatchObject({
        project: { name: 'alpha' },
      })
      expect(
        JSON.parse(
          (await post('/v1/check_decision', { proposed_approach: 'x' }, { 'x-ken-project': 'beta' }, bound)).text,
        ),
      ).toMatchObject({ project: { name: 'beta' } })
    },
    60_000,
  )

  test('does not start with an unknown project, and prints one line', () => {
    expect(() =>
      execFileSync(process.execPath, [KEN, 'serve', '--http', '--port', '0', '--project', 'gamma'], {
        cwd: alpha,
        env: environment,
        stdio: 'pipe',
      }),
    ).toThrow(/No project named "gamma"/)
  })
})

describe('--toolsets', () => {
  test('limits REST and OpenAPI as it limits MCP', async () => {
    const narrow = await serve('--project', 'alpha', '--toolsets', 'memory')
    expect((await post('/v1/memory_status', {}, {}, narrow)).status).toBe(200)
    for (const other of ['list_decisions', 'propose_decision', 'execute_sql', 'symbols', 'list_projects'])
      expect((await post(`/v1/${other}`, {}, {}, narrow)).status).toBe(404)
    const { paths } = (await (await fetch(`${narrow}/openapi.json`, { headers: bearer() })).json()) as { paths: object }
    expect(Object.keys(paths).every((path) => path.startsWith('/v1/memory_'))).toBe(true)
  }, 60_000)

  test('rejects unknown names', () => {
    expect(() =>
      execFileSync(process.execPath, [KEN, 'serve', '--http', '--toolsets', 'memory,desk'], {
        cwd: alpha,
        env: environment,
        stdio: 'pipe',
      }),
    ).toThrow(/No toolset named "desk"/)
  })
})
