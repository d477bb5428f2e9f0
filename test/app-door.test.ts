import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserStore } from '../src/app/kept-browsers.ts'
import { openKen, type Ken } from '../src/app/open.ts'
import { announceApp } from '../src/app/running-app.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { defineOperation } from '../src/operations/operation.ts'
import { proofOf } from '../src/surfaces/http/owner-proof.ts'
import { serveApp, type AppServer } from '../src/surfaces/http/serve-app.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-app-')))
const PAGE = '<!doctype html><meta name="csp-nonce" content="{nonce}">'
let isWaiting = (): void => {}
const begun = new Promise<void>((resolve) => (isWaiting = resolve))
/** Reports progress once, then waits until it is aborted. */
const waits = defineOperation({
  name: 'waits',
  title: 'Wait',
  summary: 'Wait until told not to.',
  effect: 'read',
  words: 'own',
  needs: [],
  input: {},
  output: {},
  examples: [],
  run: (ctx) =>
    new Promise((_, stopped) => {
      ctx.progress('waiting', 0, 0)
      isWaiting()
      ;(ctx.signal as AbortSignal).addEventListener('abort', () => stopped(new Error('stopped')))
    }),
  render: () => '',
})
let now = Date.now()
let ken: Ken
let server: AppServer

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  await call(
    ken.context({ origin: { surface: 'cli' }, cwd: place }),
    OPERATIONS.find((op) => op.name === 'init')!,
    { name: 'web' },
  )
  server = await serveApp({
    operations: [...OPERATIONS, waits],
    version: '0',
    port: 0,
    now: () => now,
    files: async (path) =>
      path === 'index.html'
        ? { bytes: new TextEncoder().encode(PAGE), type: 'text/html' }
        : path === 'assets/a.js'
          ? { bytes: new TextEncoder().encode('1'), type: 'text/javascript', gzipped: gzipSync('1') }
          : undefined,
    context: async (origin) => ken.context({ origin, cwd: place }),
  })
})

afterAll(async () => {
  await server.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

interface Reply {
  readonly status: number
  readonly text: string
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A raw request, because fetch does not allow setting Host, Origin and Cookie. */
function ask(path: string, headers: Record<string, string> = {}, body?: string, method?: string): Promise<Reply> {
  const { port } = new URL(server.url)
  return new Promise((done, failed) => {
    const asked = request(
      // A kept connection would belong to the server before a restart.
      { agent: false, host: '127.0.0.1', port, path, method: method ?? (body === undefined ? 'GET' : 'POST'), headers },
      (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const bytes = Buffer.concat(chunks)
            done({ status: response.statusCode!, text: bytes.toString(), bytes, headers: response.headers })
          })
      },
    )
    asked.on('error', failed).end(body)
  })
}

async function enter(agent = ''): Promise<{ cookie: string; 'x-ken-key': string }> {
  const { pathname, search } = new URL(server.link('/'))
  const reply = await ask(`${pathname}${search}`, { 'user-agent': agent })
  const [cookie] = reply.headers['set-cookie'] as string[]
  return { cookie: cookie!.split(';')[0]!, 'x-ken-key': /name="ken-key" content="([^"]+)"/.exec(reply.text)![1]! }
}

const list = (headers: Record<string, string>) => ask('/v1/list_decisions', headers, '{}')

describe('the link', () => {
  test('signs one browser in, once', async () => {
    const { pathname, search } = new URL(server.link('/x?view=graph'))
    const first = await ask(`${pathname}${search}`)
    expect(first.status).toBe(200)
    expect(first.text).toContain('content="/x?view=graph"')
    expect(first.headers['set-cookie']![0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; /)
    const second = await ask(`${pathname}${search}`)
    expect(second.status).toBe(401)
    expect(second.headers['set-cookie']).toBeUndefined()
    expect(second.text).toContain('ken app')
  })

  test('is not consumed by a HEAD request', async () => {
    const { pathname, search } = new URL(server.link('/'))
    const looked = await ask(`${pathname}${search}`, {}, undefined, 'HEAD')
    expect(looked.headers['set-cookie']).toBeUndefined()
    expect((await ask(`${pathname}${search}`)).status).toBe(200)
  })

  test('expires after two minutes, and a forged one never works', async () => {
    const { pathname, search } = new URL(server.link('/'))
    now += 2 * 60_000 + 1
    expect((await ask(`${pathname}${search}`)).status).toBe(401)
    expect((await ask('/enter')).status).toBe(401)
    expect((await ask('/enter?code=')).status).toBe(401)
  })

  test('is issued only to another process of the same user, and redirects nowhere else', async () => {
    const nonce = 'once'
    const invite = (authorization: string, to: string, headers = { 'x-ken-nonce': nonce }) =>
      ask('/invite', { authorization, 'content-type': 'application/json', ...headers }, JSON.stringify({ to }))
    const proof = proofOf({ secret: server.secret, side: 'asks', said: [nonce] })
    const answer = proofOf({ secret: server.secret, side: 'answers', said: [nonce] })
    for (const shown of ['Bearer wrong', '', `Bearer ${server.secret}`, `Bearer ${answer}`, proof])
      expect((await invite(shown, '/')).status).toBe(401)
    expect((await invite(`Bearer ${proof}`, '/', { 'x-ken-nonce': 'another' })).status).toBe(401)
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/\n\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
    ]) {
      const { code } = JSON.parse((await invite(`Bearer ${proof}`, to)).text) as { code: string }
      expect((await ask(`/enter?code=${code}`)).text).toContain('name="ken-to" content="/"')
    }
  })
})

describe('a session', () => {
  test('needs the cookie and the key, both of the same session', async () => {
    const [one, other] = [await enter(), await enter()]
    expect((await list(one)).status).toBe(200)
    expect((await list({ cookie: one.cookie })).status).toBe(401)
    expect((await list({ 'x-ken-key': one['x-ken-key'] })).status).toBe(401)
    expect((await list({ cookie: one.cookie, 'x-ken-key': other['x-ken-key'] })).status).toBe(401)
    expect((await list({ cookie: one.cookie, 'x-ken-key': '' })).status).toBe(401)
    expect((await list({})).status).toBe(401)
    expect((await list(other)).status).toBe(200)
  })

  test('survives a cookie of the same name from another port', async () => {
    const session = await enter()
    const [name] = session.cookie.split('=')
    expect((await list({ ...session, cookie: `${name}=planted; ${session.cookie}` })).status).toBe(200)
    expect((await list({ ...session, cookie: `${name}=planted; ${name}=another` })).status).toBe(401)
  })

  test('is valid only for its own origin', async () => {
    const session = await enter()
    expect((await list({ ...session, origin: server.url })).status).toBe(200)
    for (const origin of ['http://127.0.0.1:1', 'http://localhost:3000', 'https://evil.example', 'null'])
      expect([origin, (await list({ ...session, origin })).status]).toEqual([origin, 403])
    for (const site of ['cross-site', 'same-site', 'none'])
      expect([site, (await list({ ...session, 'sec-fetch-site': site })).status]).toEqual([site, 403])
    const { port } = new URL(server.url)
    for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1.evil.example'])
      expect([host, (await list({ ...session, host })).status]).toEqual([host, 403])
  })

  test('expires after a month without use', async () => {
    const session = await enter()
    now += 29 * 86_400_000
    expect((await list(session)).status).toBe(200)
    now += 29 * 86_400_000
    expect((await list(session)).status).toBe(200)
    now += 31 * 86_400_000
    expect((await list(session)).status).toBe(401)
  })

  test('has a person’s permissions: it may run every command except those that need a terminal', async () => {
    const session = await enter()
    expect((await ask('/v1/doctor', session, '{}')).status).toBe(200)
    expect((await ask('/v1/demo', session, '{}')).status).toBe(404)
    expect((await ask('/v1/import_adr', session, '{"folder":"/etc"}')).status).toBe(404)
    const proposed = await ask(
      '/v1/propose_decision',
      session,
      JSON.stringify({
        title: 'Write in plain English',
        rationale: 'Readers come from everywhere and have little time.',
      }),
    )
    expect(proposed.status).toBe(200)
    expect(JSON.parse((await list(session)).text)).toMatchObject({ decisions: [{}, { trust: 'approved' }] })
  })

  test('gets errors worded for a person', async () => {
    const session = await enter()
    const { text } = await ask('/v1/get_decision', session, '{"number":99}')
    expect(text).toContain('`ken ')
    expect(text).not.toContain('list_decisions')
  })
})

interface Told {
  readonly running: boolean
  readonly browsers: { id: string; name?: string; entered_at: string; used_at: string; is_this: boolean }[]
}

describe('the signed-in browsers', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const seenBy = async (session: Record<string, string>): Promise<Told> =>
    JSON.parse((await ask('/v1/browsers_list', session, '{}')).text) as Told
  const end = (session: Record<string, string>, input: object) =>
    ask('/v1/browsers_end', session, JSON.stringify(input))
  const terminal = async (name: string, input: object = {}) =>
    (
      await call(
        ken.context({ origin: { surface: 'cli' }, cwd: place }),
        OPERATIONS.find((op) => op.name === name)!,
        { ...input },
      )
    ).output

  test('are distinguished by sign-in time and kind, and not by their secret', async () => {
    await end(await enter(), { others: true })
    const here = await enter(FIREFOX)
    await end(here, { others: true })
    now += 60_000
    const other = await enter('<img src=x onerror=alert(1)>')
    const { browsers } = await seenBy(here)
    expect(browsers).toMatchObject([
      { name: 'Firefox 140 on Linux', is_this: true, used_at: new Date(now).toISOString() },
      { is_this: false, entered_at: new Date(now).toISOString() },
    ])
    expect(browsers[1]).not.toHaveProperty('name')
    const said = JSON.stringify(await seenBy(other))
    for (const held of [...Object.values(here), ...Object.values(other)])
      expect(said).not.toContain(held.replace(/^.*=/, ''))
  })

  test('are signed out one by one, or all except the caller', async () => {
    const [here, second, third] = [await enter(), await enter(), await enter()]
    const { id } = (await seenBy(second)).browsers.find((one) => one.is_this)!
    expect((await end(here, {})).status).toBe(400)
    expect((await end(here, { browser: [id, 'nobody'] })).status).toBe(404)
    expect((await list(second)).status).toBe(200)
    expect((await end(here, { browser: [id] })).status).toBe(200)
    expect([(await list(here)).status, (await list(second)).status, (await list(third)).status]).toEqual([
      200, 401, 200,
    ])
    expect((await end(here, { others: true })).status).toBe(200)
    expect([(await list(here)).status, (await list(third)).status]).toEqual([200, 401])
    expect((await seenBy(here)).browsers).toHaveLength(1)
    expect((await end(here, { browser: [(await seenBy(here)).browsers[0]!.id] })).status).toBe(200)
    expect((await list(here)).status).toBe(401)
  })

  test('receive nothing more once they are signed out', async () => {
    const [here, other] = [await enter(), await enter()]
    const streamed = ask('/v1/waits', { ...other, accept: 'text/event-stream' }, '{}')
    await begun
    await end(here, { others: true })
    expect((await streamed).text).not.toContain('event: answer')
    expect((await ask('/v1/waits', { ...other, accept: 'text/event-stream' }, '{}')).status).toBe(401)
  })

  test('are listed for another process of the same user, which can sign them out', async () => {
    expect(await terminal('browsers_list')).toEqual({ running: false, browsers: [] })
    expect(await terminal('browsers_end', { others: true })).toEqual({ running: false, ended: [], left: 0 })
    const takeBack = announceApp(ken.home, server)
    const session = await enter(FIREFOX)
    const told = (await terminal('browsers_list')) as unknown as Told
    expect(told.browsers[0]).toMatchObject({ name: 'Firefox 140 on Linux', is_this: false })
    await terminal('browsers_end', { browser: [told.browsers[0]!.id] })
    expect((await list(session)).status).toBe(401)
    takeBack()
    for (const authorization of ['', 'Bearer wrong', `Bearer ${server.secret}`])
      expect((await ask('/browsers', { authorization, 'x-ken-nonce': 'n' }, '{"end":[]}')).status).toBe(401)
    expect((await ask('/browsers', await enter(), '{}')).status).toBe(401)
  })
})

describe('a session over a restart', () => {
  const KEPT = join(place, 'home', 'app-browsers.json')
  const start = (port: number): Promise<AppServer> =>
    serveApp({
      operations: OPERATIONS,
      version: '0',
      port,
      now: () => now,
      store: browserStore(ken.home, port),
      files: async () => undefined,
      context: async (origin) => ken.context({ origin, cwd: place }),
    })
  const terminal = async (name: string, input: object = {}) =>
    (
      await call(
        ken.context({ origin: { surface: 'cli' }, cwd: place }),
        OPERATIONS.find((op) => op.name === name)!,
        { ...input },
      )
    ).output
  let first: AppServer
  let port: number

  beforeAll(async () => {
    first = server
    const probe = await start(0)
    port = Number(new URL(probe.url).port)
    await probe.close()
  })
  afterAll(() => {
    server = first
  })

  test('continues on the same port, and not on another; the file contains no secret', async () => {
    server = await start(port)
    const session = await enter()
    await server.close()
    const text = readFileSync(KEPT, 'utf8')
    expect(statSync(KEPT).mode & 0o777).toBe(0o600)
    for (const held of Object.values(session)) expect(text).not.toContain(held.replace(/^.*=/, ''))
    expect(browserStore(ken.home, port + 1).read()).toEqual([])
    server = await start(port)
    expect((await list(session)).status).toBe(200)
    expect((await list({ ...session, 'x-ken-key': 'forged' })).status).toBe(401)
    await server.close()
  })

  test('ends for a browser that is signed out, while the app runs or is stopped', async () => {
    server = await start(port)
    const [here, other] = [await enter(), await enter()]
    expect((await ask('/v1/browsers_end', here, '{"others":true}')).status).toBe(200)
    await server.close()
    server = await start(port)
    expect([(await list(here)).status, (await list(other)).status]).toEqual([200, 401])
    await server.close()
    expect(await terminal('browsers_end', { others: true })).toMatchObject({ ended: [{}], left: 0 })
    server = await start(port)
    expect((await list(here)).status).toBe(401)
    await server.close()
  })

  test('expires after a month without use, and a damaged file signs nobody in', async () => {
    server = await start(port)
    const session = await enter()
    await server.close()
    now += 31 * 86_400_000
    server = await start(port)
    expect((await list(session)).status).toBe(401)
    await server.close()
    writeFileSync(KEPT, '{"port":')
    server = await start(port)
    expect((await list(session)).status).toBe(401)
    expect((await list(await enter())).status).toBe(200)
    await server.close()
  })
})

describe('a response to a browser', () => {
  test('runs only its own scripts, and cannot be framed by another page', async () => {
    for (const path of ['/', '/web/decisions/3?view=graph']) {
      const page = await ask(path)
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toMatch(/script-src 'self';/)
      expect(policy).not.toMatch(/unsafe|\*|http/)
      expect(policy).toContain("frame-ancestors 'none'")
      const [, nonce] = /style-src 'self' 'nonce-([^']+)'/.exec(policy)!
      expect(page.text).toContain(`content="${nonce}"`)
      expect(page.headers['cache-control']).toBe('no-store')
    }
    expect((await ask('/')).text).not.toBe((await ask('/')).text)
  })

  test('is always restricted to this origin', async () => {
    for (const path of ['/', '/assets/a.js', '/v1/list_decisions', '/nothing.js', '/health'])
      expect((await ask(path)).headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
  })

  test('contains only files in the folder of the app', async () => {
    expect((await ask('/assets/a.js')).text).toBe('1')
    expect((await ask('/assets/gone.js')).status).toBe(404)
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/%00', '/%ff'])
      expect((await ask(path)).text).toContain('csp-nonce')
  })

  test('is compressed if it is an asset and the browser accepts it', async () => {
    const [plain, packed] = [await ask('/assets/a.js'), await ask('/assets/a.js', { 'accept-encoding': 'gzip, br' })]
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
    expect((await ask('/', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding')
  })

  test('denies access to programs: there is no MCP, and no token is accepted', async () => {
    expect((await ask('/mcp', { authorization: `Bearer ${server.secret}` }, '{}')).status).toBe(401)
    expect((await ask('/v1/list_decisions', { authorization: `Bearer ${server.secret}` }, '{}')).status).toBe(401)
  })
})
