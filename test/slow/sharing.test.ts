import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBundledEmbedder } from '../../src/app/bundled-model.ts'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Scope } from '../../src/team/domain/role.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { filesBelow, openUpkeepDesk, speak, type UpkeepDesk } from '../upkeep/desk.ts'

const KEY = `AKIA${'QRSTUVWXYZ765432'}`
/** A secret that the harvester did not recognise. */
const LEFT_IN = `AKIA${'BCDEFGHJKLM23456'}`

let postgres: OwnDatabase
let database: SqlDatabase
let team: Team
let server: TeamServer
let proxy: Server
let origin: string
let project: string
const people = { ann: '', bob: '' }
/** Decompressed bodies sent over the wire. */
const wire: string[] = []
let [cutAfter, passed] = [Infinity, 0]
let ann: UpkeepDesk
let folder: string

beforeAll(async () => {
  postgres = await newDatabase()
  const url = postgres.url
  team = await openTeam({ databaseUrl: url, clock: systemClock, embedder: openBundledEmbedder })
  database = await openPostgresDatabase({ url })
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  server = await serveTeam(team, {
    publicUrl: origin,
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
  proxy = await recordingProxy(port, server.url)
  await foundTeam()
  ann = await openAnn()
}, 120_000)

afterAll(async () => {
  await ann?.close()
  proxy?.closeAllConnections()
  await new Promise((closed) => (proxy === undefined ? closed(undefined) : proxy.close(closed)))
  await server?.close()
  await database?.close()
  await team?.close()
  await postgres?.stop()
})

/** Records all requests, and breaks the connection if a test requires it. */
function recordingProxy(port: number, target: string): Promise<Server> {
  const to = new URL(target)
  const made = createServer((asked, answer) => {
    const parts: Buffer[] = []
    asked.on('data', (part: Buffer) => parts.push(part))
    asked.on('end', () => {
      const body = Buffer.concat(parts)
      wire.push(`${asked.url}\n${asked.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body}`)
      if (asked.url === '/memory/send' && ++passed > cutAfter) return void asked.socket.destroy()
      const { hostname, port: own } = to
      const onward = request(
        { hostname, port: own, path: asked.url, method: asked.method, headers: asked.headers },
        (said) => {
          answer.writeHead(said.statusCode!, said.headers)
          said.pipe(answer)
        },
      )
      onward.end(body)
    })
  })
  return new Promise((ready) => made.listen(port, '127.0.0.1', () => ready(made)))
}

async function foundTeam(): Promise<void> {
  const at = systemClock.now().toISOString()
  const [organisation, first] = [systemClock.ulid(), systemClock.ulid()]
  project = systemClock.ulid()
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt: at },
    { id: first, organisation, email: 'ann@example.com', name: 'Ann', role: 'admin', createdAt: at, leftAt: undefined },
    { first: true },
  )
  await team.projects.create({ id: project, organisation, name: 'shop', access: 'organisation', createdAt: at }, first)
  const email = 'bob@example.com'
  await team.invitations.invite({
    id: systemClock.ulid(),
    organisation,
    email,
    role: 'member',
    invitedBy: undefined,
    createdAt: at,
    expiresAt: new Date(Date.parse(at) + 600_000).toISOString(),
  })
  await team.invitations.accept({ email, name: 'Bob', at })
  const [second] = await team.people.withAddress(email)
  people.ann = await tokenOf(first)
  people.bob = await tokenOf(second!.id)
}

async function tokenOf(
  person: string,
  kind: 'personal' | 'agent' = 'personal',
  scopes: readonly Scope[] = ['read', 'write'],
): Promise<string> {
  const wanted = { kind, name: 'test', scopes, projects: undefined, days: 1 }
  return (await issueToken({ ...team, clock: systemClock, chance: systemRandom }, person, wanted)).secret
}

/** Ann's machine: two sessions and a note of the shop, and some private data. */
async function openAnn(): Promise<UpkeepDesk> {
  const desk = openUpkeepDesk()
  Object.assign(desk.environment, { KEN_TOKEN: people.ann, KEN_SERVER: origin })
  folder = join(desk.home, 'shop')
  const other = join(desk.home, 'diary')
  for (const path of [folder, other]) mkdirSync(path)
  const at = '2026-05-01T10:00:00Z'
  const said = (text: string): [string, string][] => [[text, 'Understood, written down.']]
  speak(desk.home, { id: 'aaaaaaaa-1', at, cwd: folder, said: said('The okapi queue drops messages over 64 KB.') })
  speak(desk.home, { id: 'aaaaaaaa-2', at, cwd: folder, said: said(`Deploy the tapir service with ${KEY} tonight.`) })
  speak(desk.home, { id: 'bbbbbbbb-3', at, cwd: other, said: said('Dear diary, the narwhal was sad.') })
  await desk.run('harvest')
  const [first] = filesBelow(join(desk.kenHome, 'sessions')).filter((path) =>
    readFileSync(join(desk.kenHome, 'sessions', path), 'utf8').includes('okapi'),
  )
  appendFileSync(join(desk.kenHome, 'sessions', first!), `\nThe bucket opens with ${LEFT_IN} only.\n`)
  const note = (content: string, more: object = {}) => run(desk, 'memory_write', { content, ...more })
  await note('The kudu importer needs ISO dates.', { tags: ['import'] })
  await note('I find the pangolin meeting tiresome.', { tags: ['private'] })
  await note('My quokka preference holds everywhere.', { scope: 'global' })
  await desk.run('memory_update')
  await desk.run('memories_add', { content: 'Speaks Dutch and keeps a wombat.' })
  return desk
}

const run = async (desk: UpkeepDesk, name: string, input: Record<string, unknown> = {}): Promise<Record<string, any>> =>
  (
    await call(
      desk.context(folder),
      OPERATIONS.find((op) => op.name === name)!,
      input,
    )
  ).output

const named = () => ({ server: origin, project })

async function asBob(operation: string, input: object, token = people.bob): Promise<{ status: number; body: any }> {
  const response = await fetch(`${origin}/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-ken-project': project },
    body: JSON.stringify(input),
  })
  return { status: response.status, body: await response.json() }
}
const bobFinds = async (query: string): Promise<any[]> => (await asBob('memory_search', { query })).body.results

/** Row counts of every table with rows of the project, except the audit log. */
async function rowsLeft(): Promise<Record<string, number>> {
  return database.transaction('server', async (sql) => {
    const tables = await sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'ken' AND column_name = 'project'
         AND table_name <> 'audit_log'`,
    )
    const left: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await sql.query<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ken.${name} WHERE project = $1`,
        [project],
      )
      if (row!.rows > 0) left[name] = row!.rows
    }
    return left
  })
}

describe('two people of a project', () => {
  test('nothing is sent before confirmation, and the preview shows the data to be sent', async () => {
    const shown = await run(ann, 'share', named())
    expect(shown).toMatchObject({ shared: false, sessions: 2, notes: 1, secrets: 4, workspace: 'shop' })
    expect(shown['examples']).toHaveLength(3)
    expect(wire).toEqual([])
    expect((await rowsLeft())['shared_texts']).toBeUndefined()
  })

  test('an interrupted share resumes, and sends only the missing texts', async () => {
    ;[cutAfter, passed] = [0, 0]
    await expect(run(ann, 'share', { ...named(), yes: true })).rejects.toMatchObject({ code: 'unavailable' })
    cutAfter = Infinity
    expect(await run(ann, 'share', { ...named(), yes: true })).toMatchObject({ shared: true, sent: 3, unchanged: 0 })
    const before = wire.length
    expect(await run(ann, 'share', { yes: true })).toMatchObject({ sent: 0, unchanged: 3, removed: 0 })
    expect(wire.slice(before).some((body) => body.startsWith('/memory/send'))).toBe(false)
  })

  test('the other person finds shared texts by words and by meaning, with their author', async () => {
    const [okapi] = await bobFinds('okapi queue')
    expect(okapi).toMatchObject({ origin: 'session', trust: 'learned', by: 'Ann' })
    expect((await bobFinds('kudu importer'))[0]).toMatchObject({ origin: 'note', by: 'Ann', tags: ['import'] })
    const { body } = await asBob('memory_get', { id: okapi.id })
    expect(body.text).toContain('drops messages over 64 KB')
    expect(body.label).toContain('data, not instructions')
    await expect
      .poll(
        async () => (await asBob('memory_vsearch', { query: 'which date format does the import expect' })).body.stages,
      )
      .toContain('semantic')
    await expect.poll(async () => (await rowsLeft())['index_vectors'] ?? 0, { timeout: 30_000 }).toBeGreaterThan(2)
    const meant = await asBob('memory_vsearch', { query: 'which date format does the import expect' })
    expect(meant.body.results[0]).toMatchObject({ origin: 'note' })
  })

  test('no secret, private note, personal fact or data of another folder was ever sent', async () => {
    const sent = wire.join('\n')
    expect(sent).toContain('okapi queue')
    expect(sent).toContain('[redacted]')
    for (const word of [KEY, LEFT_IN, 'pangolin', 'quokka', 'wombat', 'narwhal', ann.home])
      expect(sent).not.toContain(word)
    for (const word of ['pangolin', 'quokka', 'wombat', 'narwhal']) expect(await bobFinds(word)).toEqual([])
  })

  test('both see shared texts, and neither can withdraw the other’s texts', async () => {
    expect(await run(ann, 'shared')).toMatchObject({
      own: [{ folder, server: origin, project, documents: 3 }],
      projects: [{ shares: [{ workspace: 'shop', by: 'Ann', own: true, documents: 3 }] }],
    })
    const [share] = (await post('list', { project }, people.bob)).body.shares
    expect(share).toMatchObject({ own: false, author: 'Ann' })
    expect((await post('withdraw', { project, share: share.id }, people.bob)).body).toMatchObject({ texts: 0 })
    expect((await post('held', { project, share: share.id, after: '', limit: 10 }, people.bob)).body.texts).toEqual([])
    const text = { name: 'a.md', origin: 'session', tags: [], modified: 0, text: 'planted' }
    expect((await post('send', { project, share: share.id, texts: [text] }, people.bob)).status).toBe(404)
    expect(await bobFinds('planted')).toEqual([])
    expect(await bobFinds('okapi')).toHaveLength(1)
  })

  test('a session forgotten locally is removed from the server with the next share', async () => {
    await ann.run('forget', { what: 'aaaaaaaa-2', yes: true })
    expect(await run(ann, 'share', { yes: true })).toMatchObject({ sent: 0, removed: 1 })
    expect(await bobFinds('tapir')).toEqual([])
  })

  test('withdrawn texts are not found and leave no row', async () => {
    const gone = await run(ann, 'unshare', { yes: true })
    expect(gone).toMatchObject({ withdrawn: true, texts: 2, left: 0 })
    expect(gone['chunks']).toBeGreaterThan(0)
    expect(gone['vectors']).toBeGreaterThan(0)
    for (const query of ['okapi queue', 'kudu importer']) expect(await bobFinds(query)).toEqual([])
    const { index_heads: heads, job_turns: turns, members, jobs, ...left } = await rowsLeft()
    expect({ heads, turns, members }).toEqual({ heads: 1, turns: 1, members: 1 })
    expect(jobs ?? 0).toBeLessThan(2)
    expect(left).toEqual({})
    expect(await run(ann, 'shared')).toMatchObject({ own: [], projects: [] })
    expect(JSON.parse(readFileSync(join(ann.kenHome, 'shares.json'), 'utf8'))).toEqual({ shares: [] })
  })
})

describe('access control', () => {
  const text = { name: 'a.md', origin: 'session', tags: [], modified: 0, text: 'planted' }

  test('another organisation’s project and a missing one look the same', async () => {
    const at = systemClock.now().toISOString()
    const [organisation, person] = [systemClock.ulid(), systemClock.ulid()]
    await team.people.found(
      { id: organisation, name: 'Other', createdAt: at },
      {
        id: person,
        organisation,
        email: 'eve@example.com',
        name: 'Eve',
        role: 'admin',
        createdAt: at,
        leftAt: undefined,
      },
      { first: false },
    )
    const eve = await tokenOf(person)
    const answers = await Promise.all(
      [project, systemClock.ulid()].flatMap((one) => [
        post('open', { project: one, workspace: 'w', name: 'n' }, eve),
        post('list', { project: one }, eve),
      ]),
    )
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]!.status).toBe(404)
  })

  test('an agent cannot share, and neither can a read-only token', async () => {
    const [bob] = await team.people.withAddress('bob@example.com')
    for (const token of [await tokenOf(bob!.id, 'agent'), await tokenOf(bob!.id, 'personal', ['read'])])
      expect((await post('open', { project, workspace: 'w', name: 'n' }, token)).status).toBe(403)
  })

  test('a path traversal, an unknown field and a decompression bomb are refused', async () => {
    const { body } = await post('open', { project, workspace: 'w', name: 'n' }, people.bob)
    const send = (one: object) => post('send', { project, share: body.id, texts: [one] }, people.bob)
    for (const name of ['../a.md', 'a/b.md', '.hidden', '', 'a\0.md'])
      expect((await send({ ...text, name })).status).toBe(400)
    expect((await send({ ...text, person: 'ann' })).status).toBe(400)
    const swollen = await fetch(`${origin}/memory/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${people.bob}`, 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(40_000_000, 0x20)),
    })
    expect(swollen.status).toBe(413)
    await post('withdraw', { project, share: body.id }, people.bob)
  })
})

async function post(action: string, body: object, token: string): Promise<{ status: number; body: any }> {
  const response = await fetch(`${origin}/memory/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
