import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBundledEmbedder } from '../../src/app/bundled-model.ts'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { openSignInWays } from '../../src/app/team/sign-in-ways.ts'
import { webAppFiles } from '../../src/app/web-app-files.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { setupCode } from '../../src/team/first-start.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'

let postgres: OwnDatabase
let team: Team
let server: TeamServer
let mails: string
let origin: string

beforeAll(async () => {
  postgres = await newDatabase()
  mails = mkdtempSync(join(tmpdir(), 'ken-mails-'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  team = await openTeam({
    databaseUrl: postgres.url,
    clock: systemClock,
    embedder: openBundledEmbedder,
  })
  server = await serveTeam(team, {
    publicUrl: origin,
    hostname: '127.0.0.1',
    port,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
    people: {
      ways: await openSignInWays({ KEN_MAIL_FOLDER: mails }, { publicUrl: origin, clock: systemClock }),
      files: await webAppFiles(),
      allowsRegistration: true,
      documents: undefined,
    },
  })
})
afterAll(async () => {
  await server.close()
  await team.close()
  await postgres.stop()
  rmSync(mails, { recursive: true })
})

/** A browser as seen by the server: it keeps cookies, and sends forms with the server's origin. */
function openBrowser() {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, origin), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/max-age=0/i.test(set)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  return {
    cookies,
    get: (path: string) => send(path),
    post: (path: string, fields: Record<string, string>) =>
      send(path, {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(fields)),
      }),
    call: (name: string, input: object, headers: Record<string, string> = {}) =>
      send(`/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ken-key': '', 'sec-fetch-site': 'same-origin', ...headers },
        body: JSON.stringify(input),
      }),
  }
}
type Browser = ReturnType<typeof openBrowser>

const codesTo = (email: string): readonly string[] =>
  readdirSync(mails)
    .toSorted()
    .map((name) => readFileSync(join(mails, name), 'utf8'))
    .filter((text) => text.startsWith(`To: ${email}\n`))
    .map((text) => /Your code is ([\d ]+)\./.exec(text)![1]!)

async function signIn(browser: Browser, email: string, to = '/'): Promise<Response> {
  const before = codesTo(email).length
  expect((await browser.post('/sign-in/code', { email, to })).status).toBe(200)
  await expect.poll(() => codesTo(email).length).toBe(before + 1)
  return browser.post('/sign-in/enter', { code: codesTo(email).at(-1)!, to })
}

async function invite(email: string): Promise<void> {
  const { clock, people, invitations } = team.signIn
  const [ada] = await people.withAddress('ada@example.com')
  const now = clock.now()
  await invitations.invite({
    id: clock.ulid(),
    organisation: ada!.organisation,
    email,
    role: 'viewer',
    invitedBy: ada!.id,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
  })
}

const admin = openBrowser()
let project: string

test('a new server redirects to its setup, and the printed code creates the first admin', async () => {
  const first = await admin.get('/')
  expect(first.headers.get('location')).toBe('/sign-in?to=%2F')
  expect((await admin.get('/sign-in?to=%2F')).headers.get('location')).toBe('/setup')
  const code = (await setupCode(team.signIn))!
  const claim = { organisation: 'Acme', name: 'Ada', email: 'ada@example.com' }
  expect((await admin.post('/setup', { ...claim, code: 'guessed' })).status).toBe(403)
  expect(admin.cookies.size).toBe(0)
  const entered = await admin.post('/setup', { ...claim, code })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  expect((await openBrowser().post('/setup', { ...claim, code })).status).toBe(403)
  expect((await openBrowser().get('/setup')).headers.get('location')).toBe('/sign-in')
})

test('a person without a project creates one, and then sees its app', async () => {
  expect((await admin.get('/')).headers.get('location')).toBe('/first-project')
  const made = await admin.post('/first-project', { name: 'Shop' })
  project = made.headers.get('location')!.slice(1)
  expect((await admin.get('/')).headers.get('location')).toBe(`/${project}`)
  const page = await (await admin.get(`/${project}`)).text()
  expect(page).toContain('name="ken-server" content="{&quot;team&quot;:true,')
  const listed = (await (await admin.call('list_projects', {})).json()) as { projects: { id: string }[] }
  expect(listed.projects.map(({ id }) => id)).toEqual([project])
})

test('a page from another site cannot use a person’s session', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
  ])
    expect([401, 403]).toContain((await admin.call('list_projects', {}, headers)).status)
  const forged = await fetch(`${origin}/sign-out`, {
    method: 'POST',
    headers: {
      cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    },
    body: 'all=yes',
  })
  expect(forged.status).toBe(403)
  expect((await admin.call('list_projects', {})).status).toBe(200)
})

test('an invited address signs in with a code bound to one browser; others get the same page and no mail', async () => {
  await invite('bo@example.com')
  const bo = openBrowser()
  const [known, unknown] = [
    await (await bo.post('/sign-in/code', { email: 'bo@example.com', to: '/' })).text(),
    await (await openBrowser().post('/sign-in/code', { email: 'nobody@example.com', to: '/' })).text(),
  ]
  expect(known).toBe(unknown)
  await expect.poll(() => codesTo('bo@example.com')).toHaveLength(1)
  const [code] = codesTo('bo@example.com')
  expect((await openBrowser().post('/sign-in/enter', { code: code!, to: '/' })).status).toBe(403)
  const entered = await bo.post('/sign-in/enter', { code: code!, to: `/${project}/decisions` })
  expect(entered.headers.get('location')).toBe(`/${project}/decisions`)
  expect((await bo.call('list_decisions', {})).status).toBe(200)
  const refused = await bo.call('flag_question', { question: 'May I?' })
  expect(refused.status).toBe(403)
  expect(codesTo('nobody@example.com')).toEqual([])
})

test('a redirect address outside this server is not followed', async () => {
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example'])
    expect((await signIn(openBrowser(), 'bo@example.com', to)).headers.get('location')).toBe('/')
})

test('signing out everywhere ends every browser session at once', async () => {
  const other = openBrowser()
  await signIn(other, 'ada@example.com')
  expect(await (await other.get('/account')).text()).toContain('ada@example.com')
  await admin.post('/sign-out', { all: 'yes' })
  expect((await other.call('list_projects', {})).status).toBe(401)
  expect((await other.get(`/${project}`)).headers.get('location')).toContain('/sign-in?to=')
  await signIn(admin, 'ada@example.com')
  expect((await admin.call('list_projects', {})).status).toBe(200)
})

test('an agent registers, gets consent, and calls tools as the person who approved it', async () => {
  const refused = await fetch(`${origin}/mcp`, { method: 'POST', body: '{}' })
  expect(refused.headers.get('www-authenticate')).toContain(`${origin}/.well-known/oauth-protected-resource/mcp`)
  const redirect = 'http://127.0.0.1:7777/back'
  const registered = (await (
    await fetch(`${origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Agent',
        redirect_uris: [redirect],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    })
  ).json()) as { client_id: string }
  const verifier = 'v'.repeat(64)
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
    'base64url',
  )
  const asked = `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: registered.client_id,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${origin}/mcp`,
    state: 'abc',
  })}`
  const stranger = await openBrowser().get(asked)
  expect(stranger.headers.get('location')).toBe(`/sign-in?${new URLSearchParams({ to: asked })}`)
  const page = await (await admin.get(asked)).text()
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)![1]!.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
  const allowed = await admin.post('/oauth/authorize', {
    request: field('request'),
    seal: field('seal'),
    scope: 'read',
    project,
    decision: 'allow',
  })
  const { searchParams } = new URL(allowed.headers.get('location')!)
  const tokens = (await (
    await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code')!,
        client_id: registered.client_id,
        redirect_uri: redirect,
        code_verifier: verifier,
        resource: `${origin}/mcp`,
      }),
    })
  ).json()) as { access_token: string }
  const call = (name: string, input: object) =>
    fetch(`${origin}/v1/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  expect((await call('list_decisions', {})).status).toBe(200)
  // Only read access was granted.
  expect((await call('flag_question', { question: 'May I?' })).status).toBe(403)
})

test('a person downloads all their data, which is audited, and nobody else can', async () => {
  const browser = openBrowser()
  await signIn(browser, 'ada@example.com')
  const [ada] = await team.people.withAddress('ada@example.com')
  const response = await browser.post('/account/data', {})
  expect(response.headers.get('content-disposition')).toContain('ken-my-data.tar.gz')
  const archive = gunzipSync(Buffer.from(await response.arrayBuffer())).toString('latin1')
  expect(archive).toContain('profile.jsonl')
  expect(archive).toContain('ada@example.com')
  expect(archive).not.toContain([...browser.cookies.values()][0])
  const [told] = await team.auditLog.read({ operation: 'export_person', limit: 1 })
  expect(told).toMatchObject({ person: ada!.id, subject: ada!.id, outcome: 'ok', through: 'browser' })
  expect((await openBrowser().post('/account/data', {})).headers.get('location')).toBe('/account')
  const foreign = await fetch(new URL('/account/data', origin), {
    method: 'POST',
    headers: {
      origin: 'https://elsewhere.example',
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    },
  })
  expect(foreign.status).toBe(403)
})
