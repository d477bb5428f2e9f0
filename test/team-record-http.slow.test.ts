import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { sha256 } from '../src/kernel/domain/sha256.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { listen, type Listening } from '../src/surfaces/http/listen.ts'
import type { Caller } from '../src/team/domain/may.ts'
import { openTeamServer } from '../src/team/team-record/http/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeTeamRecord } from './contract/team-record.contract.ts'
import { PROJECT } from './file-record.ts'
import { serveRecord } from './team/record-server.ts'

const ADA = '01JQADA0000000000000000000'
const CALLER: Caller = {
  person: ADA,
  organisation: 'one',
  role: 'member',
  through: 'token',
  scopes: ['read', 'write'],
  projects: undefined,
}
const STANDING = { project: PROJECT.id, organisation: 'one', role: 'member' } as const
const NOTHING = { texts: async () => new Map<string, string>() }
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const memoryStore = () => openMemoryStore({ project: PROJECT, clock: stepClock() })

async function serve(caller: Partial<Caller> = {}, role: Caller['role'] = 'member') {
  const store = await memoryStore()
  const server = await serveRecord(store, { caller: { ...CALLER, ...caller }, standing: { ...STANDING, role } })
  open.push(server)
  return { store, url: server.url, team: openTeamServer({ url: server.url, token: 't', firstPause: 1 }) }
}

describeTeamRecord('over HTTP', {
  async open() {
    const { team } = await serve()
    return { team: team.record(PROJECT.id, NOTHING), machine: await memoryStore(), close: async () => {} }
  },
})

/** All lines and files of a machine, as an initial push. */
async function pushOf(machine: Store) {
  const lines = await machine.history.lines()
  const files = await Promise.all(
    (await machine.list()).map(async (path) => ({ path, before: null, text: await machine.read(path) })),
  )
  return { id: lines.at(-1)!.sha256, base: null, files, lines: lines.map(({ text }) => text) }
}

async function written(user: string | undefined, text = '# Stack\n'): Promise<Store> {
  const machine = await memoryStore()
  await machine.commit({ surface: 'cli', ...(user && { user }) }, async (draft) => draft.write('stack.md', text))
  return machine
}

test('rejects a change in another person’s name; accepts a change in the caller’s name or without a name', async () => {
  for (const [user, code] of [
    ['01JQBOB0000000000000000000', 'forbidden'],
    [ADA, undefined],
    [undefined, undefined],
  ] as const) {
    const { team, store } = await serve()
    const pushed = team.record(PROJECT.id, NOTHING).push(await pushOf(await written(user)))
    if (code === undefined) expect((await pushed).status).toBe('landed')
    else await expect(pushed).rejects.toMatchObject({ code })
    expect((await store.list()).length).toBe(code === undefined ? 1 : 0)
  }
})

test('a reader, an agent, a token without the scope and one for other projects cannot push', async () => {
  const push = await pushOf(await written(ADA))
  for (const [caller, role, code] of [
    [{}, 'viewer', 'forbidden'],
    [{ through: 'agent' }, 'member', 'forbidden'],
    [{ scopes: ['read'] }, 'member', 'forbidden'],
    [{ projects: ['01JQ1111111111111111111111'] }, 'member', 'not_found'],
  ] as const) {
    const { team, store } = await serve(caller, role)
    await expect(team.record(PROJECT.id, NOTHING).push(push)).rejects.toMatchObject({ code })
    expect(await store.list()).toEqual([])
  }
  const { team } = await serve()
  const other = team.record('01JQ1111111111111111111111', NOTHING)
  await expect(other.manifest({})).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/Project not found/),
  })
})

test('a small change to a long text transfers little in both directions', async () => {
  const { team, url, store } = await serve()
  const lines = Array.from({ length: 2_000 }, (_, at) => `${at} ${sha256(String(at))}`)
  const [long, longer] = [lines.join('\n'), [...lines.slice(0, 900), 'one more', ...lines.slice(900)].join('\n')]
  const machine = await written(ADA, long)
  await team.record(PROJECT.id, NOTHING).push(await pushOf(machine))
  const base = (await machine.history.lines()).at(-1)!.sha256
  const copy = { texts: async () => new Map([['stack.md', long]]) }

  const bodies: number[] = []
  const counted = await listen(async (request) => {
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const { pathname, search } = new URL(request.url)
    const answer = await fetch(`${url}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(body && { body }),
    })
    const text = await answer.text()
    bodies.push((body?.length ?? 0) + text.length)
    return new Response(text, { status: answer.status })
  }, 0)
  open.push(counted)
  const record = openTeamServer({ url: counted.url, token: 't' }).record(PROJECT.id, copy)
  await machine.commit({ surface: 'cli', user: ADA }, async (draft) => draft.write('stack.md', longer))
  const added = (await machine.history.lines()).at(-1)!
  const files = [{ path: 'stack.md', before: sha256(long), text: longer }]
  expect((await record.push({ id: added.sha256, base, files, lines: [added.text] })).status).toBe('landed')
  expect(await store.read('stack.md')).toBe(longer)
  expect(await record.texts(new Map([['stack.md', sha256(longer)]]))).toEqual(new Map([['stack.md', longer]]))
  expect(Math.max(...bodies)).toBeLessThan(1_500)
})

test('a body that decompresses beyond the limit of a record is rejected, and the next is served', async () => {
  const { team, url } = await serve()
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '))
  const answer = await fetch(`${url}/v1/team/records/${PROJECT.id}/push`, {
    method: 'POST',
    headers: { 'content-encoding': 'gzip', 'x-ken-record': '1' },
    body: bomb,
  })
  expect(answer.status).toBe(413)
  const push = await pushOf(await written(ADA))
  expect((await team.record(PROJECT.id, NOTHING).push(push)).status).toBe('landed')
})

test('a client with another version gets an error, and invalid gzip or JSON is refused', async () => {
  const { url } = await serve()
  const send = async (headers: Record<string, string>, body: string) =>
    (await fetch(`${url}/v1/team/records/${PROJECT.id}/push`, { method: 'POST', headers, body })).status
  expect(await send({}, '{}')).toBe(426)
  expect(await send({ 'x-ken-record': '1', 'content-encoding': 'gzip' }, '{}')).toBe(400)
  expect(await send({ 'x-ken-record': '1' }, '{')).toBe(400)
  expect(await send({ 'x-ken-record': '1', 'content-encoding': 'br' }, '{}')).toBe(400)
})

/** A server that sends the same response to everything. */
async function lying(answer: () => Response): Promise<Listening & { asked(): number }> {
  let asked = 0
  const server = await listen(() => {
    asked++
    return answer()
  }, 0)
  open.push(server)
  return { ...server, asked: () => asked }
}

const HASH = 'a'.repeat(64)

test.each<[string, () => Response]>([
  ['a path that leads out', () => Response.json({ revision: HASH, files: [{ path: '../x.md', sha256: HASH }] })],
  [
    'a file that is none of a record',
    () => Response.json({ revision: HASH, files: [{ path: '.txn/a', sha256: HASH }] }),
  ],
  ['what is no JSON', () => new Response('<html>')],
  ['another shape', () => Response.json({ revision: 7 })],
  [
    'more than a record can be',
    () => new Response(gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')), { headers: { 'content-encoding': 'gzip' } }),
  ],
])('a server that answers with %s is not trusted', async (_what, answer) => {
  const { url } = await lying(answer)
  const record = openTeamServer({ url, token: 't' }).record(PROJECT.id, NOTHING)
  await expect(record.manifest({})).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/Nothing was saved/),
  })
})

test('a server’s error message is one truncated line that cannot control the terminal', async () => {
  const { url } = await lying(() =>
    Response.json(
      { error: { code: 'forbidden', message: `\u001b[2Jno\nreally ${'x'.repeat(5_000)}` } },
      { status: 403 },
    ),
  )
  const failed: unknown = await openTeamServer({ url, token: 't' })
    .standing(PROJECT.id)
    .catch((error: unknown) => error)
  const { line } = failed as { line: string }
  expect(line).toContain('\\u{1b}[2Jno really')
  expect(line).not.toMatch(/[\u001b\n]/)
  expect(line.length).toBeLessThan(400)
})

test('the token is sent only to the named server, and redirects are not followed', async () => {
  const elsewhere = await lying(() => Response.json({}))
  const { url } = await lying(() => Response.redirect(`${elsewhere.url}/x`, 307))
  const team = openTeamServer({ url, token: 't', firstPause: 1 })
  await expect(team.standing(PROJECT.id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(elsewhere.asked()).toBe(0)
})

test.each([
  [401, 'forbidden', /ken auth login/],
  [413, 'invalid_input', /long texts/],
  [426, 'unavailable', /up to date/],
])('a response with status %i causes an error with a hint for the next step', async (status, code, hint) => {
  const { url } = await lying(() => new Response('', { status }))
  const failed = openTeamServer({ url, token: 'secret-token', firstPause: 1 }).standing(PROJECT.id)
  await expect(failed).rejects.toMatchObject({ code, hint, message: expect.not.stringContaining('secret-token') })
})

test('a server that fails twice is tried a third time; an unreachable server is reported as offline', async () => {
  let fails = 2
  const { url, asked } = await lying(() =>
    fails-- > 0 ? new Response('', { status: 503 }) : Response.json({ revision: null, files: [] }),
  )
  const manifest = (at: string) =>
    openTeamServer({ url: at, token: 't', firstPause: 1 }).record(PROJECT.id, NOTHING).manifest({})
  expect(await manifest(url)).toEqual({ revision: null, files: [] })
  expect(asked()).toBe(3)
  await expect(manifest('http://127.0.0.1:9')).rejects.toMatchObject({ details: { offline: true } })
})
