import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { listen } from '../../src/surfaces/http/listen.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { makeMachine, type Machine } from './team-machine.ts'
import { openTeamProxy, type TeamProxy } from './team-proxy.ts'

// Two homes, the real `ken` in both, a real `ken server` on a real PostgreSQL, and a proxy that counts requests and
// breaks connections.

const base = mkdtempSync(join(tmpdir(), 'ken-link-'))
let postgres: OwnDatabase
let databaseUrl: string
let team: Team
let proxy: TeamProxy
let server: ChildProcess
let [ada, bob]: Machine[] = []
let project: string
let adasToken: string
let people: { ada: string; bob: string; organisation: string }

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

async function newPerson(name: string, organisation: string, isFirst: boolean): Promise<string> {
  const [id, at] = [systemClock.ulid(), systemClock.now().toISOString()]
  const person = { id, organisation, email: `${name}@example.com`, name, createdAt: at, leftAt: undefined }
  if (isFirst) {
    await team.people.found({ id: organisation, name, createdAt: at }, { ...person, role: 'admin' }, { first: false })
    return id
  }
  const soon = new Date(Date.parse(at) + 60_000).toISOString()
  await team.invitations.invite({
    id,
    organisation,
    email: person.email,
    role: 'member',
    invitedBy: undefined,
    createdAt: at,
    expiresAt: soon,
  })
  return (await team.invitations.accept({ email: person.email, name, at }))[0]!.id
}

const tokenOf = async (person: string): Promise<{ id: string; secret: string }> => {
  const wanted = { kind: 'personal', name: 't', scopes: ['read', 'write'], projects: undefined, days: 1 } as const
  const { secret, token } = await issueToken(
    { tokens: team.tokens, clock: systemClock, chance: systemRandom },
    person,
    wanted,
  )
  return { id: token.id, secret }
}

beforeAll(async () => {
  postgres = await newDatabase()
  databaseUrl = postgres.url
  team = await openTeam({ databaseUrl, clock: systemClock, embedder: async () => undefined })
  proxy = await openTeamProxy(await freePort())
  await startServer()
  const organisation = systemClock.ulid()
  const [first, second] = [await newPerson('ada', organisation, true), await newPerson('bob', organisation, false)]
  people = { ada: first, bob: second, organisation }
  adasToken = (await tokenOf(first)).secret
  ada = makeMachine(join(base, 'ada'), adasToken)
  bob = makeMachine(join(base, 'bob'), (await tokenOf(second)).secret)
})

afterAll(async () => {
  await stopServer()
  await proxy.close()
  await team.close()
  await postgres.stop()
  rmSync(base, { recursive: true, force: true })
})

const decide = (machine: Machine, title: string) =>
  machine.ken('add', title, '--rationale', `${title}: it was measured, and holds for ${title}.`)

const expectSame = (): void => expect(bob!.record()).toEqual(ada!.record())

async function syncAll(order = [ada!, bob!, ada!]): Promise<void> {
  for (const machine of order) {
    const said = await machine.ken('sync', 'team')
    expect([said.code, said.err]).toEqual([0, ''])
  }
}

test('a record is previewed, linked, and attached on another machine, byte for byte', async () => {
  await ada!.ken('init', 'shop')
  await decide(ada!, 'Cache hot reads in Redis')
  await ada!.ken('question', 'Which region first?')
  const shown = await ada!.ken('link', '--server', proxy.url)
  expect(shown.code).toBe(1)
  expect(shown.out).toMatch(/would go to http.*:\n {2}2 decisions, 7 files, .* lines of its journal/)
  expect(proxy.bytes()).toBeLessThan(2_000)
  const linked = await ada!.json('link', '--server', proxy.url, '--yes')
  expect(linked).toMatchObject({ outcome: 'linked', server: proxy.url })
  project = linked.id
  const config = JSON.parse(readFileSync(join(ada!.repository, '.ken', 'config.json'), 'utf8'))
  expect(config).toMatchObject({ mode: 'cloud', id: project, server_url: proxy.url, schema_version: 1 })
  expect(await bob!.json('attach', project, '--server', proxy.url, '--yes')).toMatchObject({ outcome: 'attached' })
  expectSame()
  expect(Object.keys(bob!.record())).toContain('decisions/002-cache-hot-reads-in-redis.md')
})

test('offline writes of both machines are merged, no number is assigned twice, and both show the conflicts', async () => {
  await decide(ada!, 'Put invoices into one queue')
  await decide(bob!, 'Ship nightly builds to testers')
  await ada!.ken('state', 'Ada moved the parser to the worker.')
  await bob!.ken('state', 'Bob moved the parser to the browser.')
  await syncAll()
  expectSame()
  const { decisions } = await ada!.json('list')
  const titles = decisions.map(({ title }: { title: string }) => title)
  expect(titles).toEqual(expect.arrayContaining(['Put invoices into one queue', 'Ship nightly builds to testers']))
  expect(new Set(decisions.map(({ number }: { number: number }) => number)).size).toBe(decisions.length)
  const journal = bob!.record()['journal/events.jsonl']!
  expect(journal).toContain(people.ada)
  expect(journal).toContain(people.bob)
})

test('an unmergeable change is a conflict shown on both machines', async () => {
  const path = (machine: Machine) => join(machine.environment['KEN_HOME']!, 'projects', project, 'project.md')
  for (const [machine, word] of [
    [ada!, 'parrots'],
    [bob!, 'ferrets'],
  ] as const) {
    writeFileSync(path(machine), `# Shop\n\nWe sell ${word} to people who like ${word}, and nothing else at all.\n`)
    expect(await machine.ken('accept')).toMatchObject({ code: 0 })
  }
  await syncAll()
  expectSame()
  for (const machine of [ada!, bob!]) {
    const { team: told } = await machine.json('status')
    expect([told.asked.length, told.waiting]).toEqual([1, 0])
  }
})

test.each(['asked', 'answered'] as const)('a process that is killed when its push was %s loses nothing', async (at) => {
  await decide(ada!, `Survive a cut that was ${at}`)
  const running = ada!.start('sync', 'team')
  proxy.onPush = { at, do: () => void running.process.kill('SIGKILL') }
  expect((await running.said).code).toBe(null)
  proxy.onPush = undefined
  await syncAll([ada!, bob!])
  expectSame()
  expect(JSON.stringify(bob!.record())).toContain(`Survive a cut that was ${at}`)
})

test('a write succeeds while the server is down; the sync reports it in one line, and catches up later', async () => {
  await stopServer()
  expect(await decide(ada!, 'Write on the train')).toMatchObject({ code: 0, err: '' })
  const failed = await ada!.ken('sync', 'team')
  expect(failed.code).toBe(7)
  expect(failed.err).toMatch(/^ken: .* cannot be reached .* are kept .*\n$/)
  expect((await ada!.ken('sync', 'team', '--status')).out).toMatch(/1 change waits[\s\S]*The last sync failed/)
  await startServer()
  await syncAll([ada!, bob!])
  expectSame()
})

test('an expired login stops only the sync, which names the next step', async () => {
  const { id, secret } = await tokenOf(people.ada)
  await team.tokens.revoke(people.ada, [id], systemClock.now().toISOString())
  const late = { ...ada!.environment, KEN_TOKEN: secret }
  const say = (...words: string[]) =>
    new Promise<{ code: number | null; err: string }>((done) => {
      const child = spawn(process.execPath, [KEN, ...words], { cwd: ada!.repository, env: late })
      let err = ''
      child.stderr.on('data', (chunk) => (err += chunk))
      child.on('close', (code) => done({ code, err }))
    })
  expect(await say('add', 'Rotate the keys monthly', '--rationale', 'Auditors ask for it every spring.')).toMatchObject(
    {
      code: 0,
    },
  )
  const failed = await say('sync', 'team')
  expect(failed.code).toBe(5)
  expect(failed.err).toMatch(/login.*ken auth login/)
  expect(failed.err).not.toContain(secret)
})

test('a member cannot push as another person, a decompression bomb, an outside path, or to a foreign project', async () => {
  const url = `${proxy.url}/v1/team/records`
  const token = bob!.environment['KEN_TOKEN']!
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-ken-record': '1',
        'content-type': 'application/json',
        ...headers,
      },
      body: body instanceof Uint8Array ? body : JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  // Another machine of Bob's, configured as Ada.
  const forger = makeMachine(join(base, 'forger'), token)
  await forger.json('attach', project, '--server', proxy.url, '--yes')
  const registry = join(forger.environment['KEN_HOME']!, 'registry.json')
  writeFileSync(registry, readFileSync(registry, 'utf8').replace(people.bob, people.ada))
  await decide(forger, 'Give Bob a raise')
  const forged = await forger.ken('sync', 'team')
  expect([forged.code, forged.err]).toEqual([5, expect.stringMatching(/names another author/)])
  await ada!.ken('sync', 'team')
  expect(JSON.stringify(ada!.record())).not.toContain('raise')

  const push = { id: 'a'.repeat(64), base: null, files: [], lines: [] }
  expect(
    (await send(`${project}/push`, gzipSync(Buffer.alloc(150 << 20, ' ')), { 'content-encoding': 'gzip' })).status,
  ).toBe(413)
  const long = { path: 'stack.md', before: null, text: 'x'.repeat((4 << 20) + 1) }
  expect((await send(`${project}/push`, { ...push, files: [long] })).status).toBe(400)
  const outside = { path: '../../etc/passwd', before: null, text: 'x' }
  expect((await send(`${project}/push`, { ...push, files: [outside] })).status).toBe(403)
  const [elsewhere, theirs] = [systemClock.ulid(), systemClock.ulid()]
  const stranger = await newPerson('eve', elsewhere, true)
  const createdAt = systemClock.now().toISOString()
  await team.projects.create(
    { id: theirs, organisation: elsewhere, name: 'x', access: 'organisation', createdAt },
    stranger,
  )
  const [missing, hidden] = [await send(`${systemClock.ulid()}/push`, push), await send(`${theirs}/push`, push)]
  expect([missing.status, hidden.status]).toEqual([404, 404])
  expect(hidden.text).toBe(missing.text)
})

test('a record with a secret is not sent, and the error names the place', async () => {
  const machine = makeMachine(join(base, 'leaky'), adasToken)
  await machine.ken('init', 'leaky')
  const [id] = readdirSync(join(machine.environment['KEN_HOME']!, 'projects'))
  const stack = join(machine.environment['KEN_HOME']!, 'projects', id!, 'stack.md')
  const secret = `AKIA${'QX7TZP4M'}${'W2LRB6KD'}`
  writeFileSync(stack, `# Stack\n\nThe key is ${secret}.\n`)
  const refused = await machine.ken('link', '--server', proxy.url, '--yes')
  expect(refused.code).toBe(5)
  expect(refused.err).toMatch(/Found a secret in stack\.md: nothing was sent\. .*ken redact/)
  expect(refused.err).not.toContain(secret)
})

test('a server named by a clone does not get the token from the environment', async () => {
  let asked = 0
  const stranger = await listen(() => {
    asked++
    return Response.json({})
  }, 0)
  const machine = makeMachine(join(base, 'cloner'), adasToken)
  mkdirSync(join(machine.repository, '.ken'))
  writeFileSync(
    join(machine.repository, '.ken', 'config.json'),
    JSON.stringify({ mode: 'cloud', id: project, name: 'shop', schema_version: 1, server_url: stranger.url }),
  )
  expect(await machine.ken('attach', '--yes')).toMatchObject({ code: 5, err: expect.stringMatching(/not logged in/) })
  expect(asked).toBe(0)
  await stranger.close()
})

test('a malicious server cannot write outside the record or to the terminal', async () => {
  const hash = 'b'.repeat(64)
  const liar = await listen((request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/manifest'))
      return Response.json({ revision: hash, files: [{ path: '../../../stolen.md', sha256: hash }] })
    return Response.json({
      id: project,
      name: '\u001b]0;owned\u0007../../x',
      role: 'member',
      person: people.ada,
      revision: hash,
    })
  }, 0)
  const machine = makeMachine(join(base, 'lied-to'), adasToken)
  const said = await machine.ken('attach', project, '--server', liar.url, '--yes')
  expect(said.code).toBe(7)
  expect(said.err).toMatch(/Nothing was saved/)
  expect(said.out + said.err).not.toMatch(/[\u0007\u001b]/)
  expect(readdirSync(join(machine.environment['KEN_HOME']!, '..'))).not.toContain('stolen.md')
  await liar.close()
  expect(await machine.json('attach', project, '--server', proxy.url, '--yes')).toMatchObject({ outcome: 'attached' })
  expect(machine.record()).toEqual(ada!.record())
})

test('an agent promptly reads a change recorded on another machine a second ago', async () => {
  const awake = { KEN_TEAM_SYNC: '1' }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve'],
      cwd: bob!.repository,
      env: { ...(bob!.environment as Record<string, string>), ...awake },
    }),
  )
  const sees = async (title: string) =>
    JSON.stringify(await client.callTool({ name: 'list_decisions', arguments: {} })).includes(title)
  const until = async (look: () => Promise<boolean>): Promise<number> => {
    const began = performance.now()
    while (!(await look())) await pause(50)
    return performance.now() - began
  }
  await until(async () => (await bob!.json('sync', 'team', '--status')).waiting === 0)
  const recorded = spawn(
    process.execPath,
    [KEN, 'add', 'Tell the others at once', '--rationale', 'They wait for it in the other room.'],
    { cwd: ada!.repository, env: { ...ada!.environment, ...awake } },
  )
  await new Promise((done) => recorded.on('close', done))
  const arrived = await until(() => sees('Tell the others at once'))
  const began = performance.now()
  await sees('Tell the others at once')
  const read = performance.now() - began
  await client.callTool({
    name: 'propose_decision',
    arguments: { title: 'Answer from the agent', rationale: 'It was asked in the other room and says so here.' },
  })
  const answered = await until(async () => {
    await ada!.ken('sync', 'team')
    return (await ada!.ken('list')).out.includes('Answer from the agent')
  })
  process.stdout.write(
    `freshness: there after ${Math.round(arrived)} ms, read in ${Math.round(read)} ms, back after ${Math.round(answered)} ms\n`,
  )
  await client.close()
})

test('the cost of syncing one new decision does not depend on the size of the record', async () => {
  const machine = makeMachine(join(base, 'large'), adasToken)
  await machine.ken('init', 'large')
  const adrs = join(base, 'adrs')
  mkdirSync(adrs)
  for (let at = 1; at <= 1_000; at++)
    writeFileSync(
      join(adrs, `${String(at).padStart(4, '0')}-choice.md`),
      `# ${at}. Choice ${at} about part ${(at * 7919) % 1_000}\n\n## Status\n\nAccepted\n\n## Context\n\nPart ${at} needs a rule of its own, number ${at * 31}.\n\n## Decision\n\nWe take rule ${at}.\n`,
    )
  expect(await machine.ken('import', 'adr', adrs)).toMatchObject({ code: 0 })
  proxy.bytes()
  const { id } = await machine.json('link', '--server', proxy.url, '--yes')
  const whole = proxy.bytes()
  const other = makeMachine(join(base, 'large-too'), bob!.environment['KEN_TOKEN']!)
  await other.json('attach', id, '--server', proxy.url, '--yes')
  const brought = proxy.bytes()
  await decide(machine, 'Number a thousand and one')
  await machine.json('sync', 'team')
  const sent = proxy.bytes()
  await other.json('sync', 'team')
  const got = proxy.bytes()
  await other.json('sync', 'team')
  const none = proxy.bytes()
  process.stdout.write(
    `bytes of a record of 1,000 decisions: ${whole} to link, ${brought} to attach; of one more: ${sent} to send, ${got} to get; of none: ${none}\n`,
  )
  expect(other.record()).toEqual(machine.record())
  expect(Math.max(sent, got)).toBeLessThan(16_000)
  expect(none).toBeLessThan(1_500)
})

test('an unlinked record stays usable, and can be linked again', async () => {
  const config = () => JSON.parse(readFileSync(join(bob!.repository, '.ken', 'config.json'), 'utf8'))
  await bob!.json('unlink')
  expect(config()).toEqual({ mode: 'local', id: project, name: 'shop', schema_version: 1 })
  await decide(bob!, 'Go alone for a while')
  expect(await bob!.ken('sync', 'team')).toMatchObject({ code: 2, err: expect.stringMatching(/ken link/) })
  expect(await bob!.json('link', '--server', proxy.url, '--yes')).toMatchObject({ outcome: 'linked' })
  await syncAll([ada!, bob!])
  expectSame()
  expect(JSON.stringify(ada!.record())).toContain('Go alone for a while')
})

test('both records verify after all of these tests', async () => {
  await syncAll()
  expectSame()
  for (const machine of [ada!, bob!]) expect(await machine.ken('verify')).toMatchObject({ code: 0 })
})
