import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { makeMachine, type Machine } from './team-machine.ts'
import { openTeamProxy, type TeamProxy } from './team-proxy.ts'

// Two homes with the real `ken`, a real `ken server` on a real PostgreSQL, and a proxy that counts requests.

const base = mkdtempSync(join(tmpdir(), 'ken-team-search-'))
let postgres: OwnDatabase
let databaseUrl: string
let team: Team
let proxy: TeamProxy
let server: ChildProcess
let [ann, ben]: Machine[] = []
let agent: Client

beforeAll(async () => {
  postgres = await newDatabase()
  databaseUrl = postgres.url
  team = await openTeam({ databaseUrl, clock: systemClock, embedder: async () => undefined })
  proxy = await openTeamProxy(await freePort())
  await startServer()
  const organisation = systemClock.ulid()
  ann = makeMachine(join(base, 'ann'), await tokenOf(await found('Ann', organisation)), { KEN_SERVER: proxy.url })
  ben = makeMachine(join(base, 'ben'), await tokenOf(await invited('Ben', organisation)), { KEN_SERVER: proxy.url })
  await ann.ken('init', 'shop')
  const { id } = await ann.json('link', '--server', proxy.url, '--yes')
  await ben.json('attach', id, '--server', proxy.url, '--yes')
  await ann.json('note', 'The okapi queue drops messages over 64 KB.')
  await ann.json('share', '--yes')
  await ben.json('note', 'The okapi queue was slow on Monday.')
  agent = await startAgent(ben)
})

afterAll(async () => {
  await agent?.close()
  await stopServer()
  await proxy.close()
  await team.close()
  await postgres.stop()
  rmSync(base, { recursive: true, force: true })
})

async function startServer(): Promise<void> {
  const port = await freePort()
  proxy.forwardTo(port)
  server = spawn(process.execPath, [KEN, 'server', '--port', String(port)], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, KEN_PUBLIC_URL: proxy.url, KEN_EMBEDDINGS: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((ready, failed) => {
    let said = ''
    server.stderr!.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ken serves')) ready()
    })
    server.once('exit', (code) => failed(new Error(`ken server ended with ${code}: ${said}`)))
  })
}

async function stopServer(): Promise<void> {
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGKILL')
  await ended
}

const now = (): string => systemClock.now().toISOString()

async function found(name: string, organisation: string): Promise<string> {
  const id = systemClock.ulid()
  const person = { id, organisation, email: 'ann@example.com', name, createdAt: now(), leftAt: undefined }
  const facts = { id: organisation, name: 'Acme', createdAt: now() }
  await team.people.found(facts, { ...person, role: 'admin' }, { first: false })
  return id
}

async function invited(name: string, organisation: string): Promise<string> {
  const [id, email] = [systemClock.ulid(), 'ben@example.com']
  const expiresAt = new Date(Date.now() + 600_000).toISOString()
  const facts = { id, organisation, email, role: 'member', invitedBy: undefined, createdAt: now(), expiresAt } as const
  await team.invitations.invite(facts)
  return (await team.invitations.accept({ email, name, at: now() }))[0]!.id
}

async function tokenOf(person: string): Promise<string> {
  const wanted = { kind: 'personal', name: 't', scopes: ['read', 'write'], projects: undefined, days: 1 } as const
  const parts = { tokens: team.tokens, clock: systemClock, chance: systemRandom }
  return (await issueToken(parts, person, wanted)).secret
}

async function startAgent({ environment, repository }: Machine): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  const env = Object.fromEntries(
    Object.entries(environment).filter((one): one is [string, string] => one[1] !== undefined),
  )
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [KEN, 'serve'], cwd: repository, env }),
  )
  return client
}

interface Hit {
  readonly id: string
  readonly path: string
  readonly by?: string
  readonly from_team?: boolean
}

async function called(name: string, input: Record<string, unknown>): Promise<{ text: string; data: any }> {
  const { content, structuredContent } = await agent.callTool({ name, arguments: input })
  return { text: (content as { text: string }[])[0]!.text, data: structuredContent }
}

interface Found {
  readonly results: readonly Hit[]
  readonly stages: readonly string[]
}

const query = 'okapi queue'
const atTerminal = (): Promise<Found> => ben!.json('query', query)
const byAgent = async (): Promise<Found> => (await called('memory_query', { query })).data
/** Retries, as an agent would: a busy machine may exceed the team's time limit. */
async function withTeam(asks: () => Promise<Found>): Promise<readonly Hit[]> {
  let found: Found | undefined
  await expect.poll(async () => (found = await asks()).stages, { timeout: 20_000 }).toContain('team')
  return found!.results
}
const ofTeam = (hits: readonly Hit[]): readonly Hit[] => hits.filter((hit) => hit.from_team)

test('Ben finds and fetches texts shared by Ann, at his terminal and through his agent', async () => {
  for (const asks of [atTerminal, byAgent]) {
    const hits = await withTeam(asks)
    const [hit] = ofTeam(hits) as [Hit]
    expect(hits).toHaveLength(2)
    expect(hit).toMatchObject({ by: 'Ann', trust: 'untrusted', origin: 'note' })
    expect((await ben!.ken('get', hit.id)).out).toContain('drops messages over 64 KB')
    const { text } = await called('memory_get', { id: hit.path })
    expect(text).toMatch(/untrusted[^]*drops messages over 64 KB/)
  }
  const hers = await withTeam(() => ann!.json('query', query))
  expect([hers.length, ofTeam(hers)]).toEqual([1, []])
})

test('nothing is sent to the team if team search is off, or if a folder is not linked', async () => {
  const { KEN_TOKEN: token } = ben!.environment
  const unlinked = makeMachine(join(base, 'unlinked'), token!, { KEN_SERVER: proxy.url })
  proxy.bytes()
  await ben!.json('config', 'set', 'team.search', 'off')
  const another = await startAgent(ben!)
  const { structuredContent } = await another.callTool({ name: 'memory_query', arguments: { query } })
  await another.close()
  const answers = [await atTerminal(), structuredContent as unknown as Found]
  expect(answers.map(({ results }) => results.length)).toEqual([1, 1])
  await ben!.json('config', 'unset', 'team.search')
  await ben!.json('query', query, '--workspace', 'global')
  await unlinked.json('query', query, '--workspace', 'all')
  expect(proxy.bytes()).toBe(0)
  await withTeam(atTerminal)
  expect(proxy.bytes()).toBeGreaterThan(0)
})

test('local results have one note while the server is stopped, and team results return afterwards', async () => {
  await stopServer()
  const said = await ben!.ken('query', query)
  expect([said.code, said.err]).toEqual([0, ''])
  expect(said.out).toMatch(/\(The team’s memory was not searched: 127\.0\.0\.1:\d+ cannot be reached\.\)/)
  expect(said.out).toContain('slow on Monday')
  const { data } = await called('memory_query', { query })
  expect(data.results).toHaveLength(1)
  expect(data.notes.filter((note: string) => note.includes('team'))).toHaveLength(1)
  await startServer()
  expect(ofTeam(await withTeam(byAgent))).toHaveLength(1)
})

test('texts withdrawn by Ann are no longer found, at the terminal and through the agent', async () => {
  const [{ id, path }] = ofTeam(await withTeam(byAgent)) as [Hit]
  await ann!.json('unshare', '--yes')
  for (const asks of [atTerminal, byAgent]) expect(ofTeam(await withTeam(asks))).toEqual([])
  for (const name of [id, path]) {
    expect(await ben!.ken('get', name)).toMatchObject({ code: 3, out: '' })
    expect((await called('memory_get', { id: name })).text).toMatch(/has no document/)
  }
})
