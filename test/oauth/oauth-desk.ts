import { createHash, randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { listen, type Listening } from '../../src/surfaces/http/listen.ts'
import { bearerAccess, bearerOf } from '../../src/surfaces/http/oauth/bearer-access.ts'
import { buildOAuthApp } from '../../src/surfaces/http/oauth/oauth-app.ts'
import type { SignedInPerson } from '../../src/surfaces/http/oauth/oauth-options.ts'
import type { AuthorizationStore } from '../../src/team/ports/authorizations.ts'
import type { ClientDocuments } from '../../src/team/ports/client-documents.ts'
import type { SignInEvent } from '../../src/team/sign-in-audit.ts'
import { freePort } from '../postgres/server.ts'
import { openMemoryAuthorizations } from './memory-authorizations.ts'

export const PERSON: SignedInPerson = {
  id: 'person-1',
  name: 'Ada <b>Example</b>',
  sessionSecret: 'the secret of a session',
  projects: [
    { id: 'P1', name: 'Shop' },
    { id: 'P2', name: 'Warehouse' },
  ],
}
export const REDIRECT = 'http://127.0.0.1:4711/callback'

/** A team server with only its sign-in routes, on the loopback address, and a person signed in by a cookie. */
export async function openOAuthDesk({
  documents,
  store = openMemoryAuthorizations(),
}: { readonly documents?: ClientDocuments; readonly store?: AuthorizationStore } = {}) {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const moved = { by: 0 }
  const told: unknown[] = []
  const audited: Omit<SignInEvent, 'source'>[] = []
  const gone = new Set<string>()
  const people = new Map<string, SignedInPerson>([
    ['session=one', PERSON],
    [
      'session=two',
      { ...PERSON, id: 'person-2', name: 'Bo', sessionSecret: 'another', projects: [{ id: 'P3', name: 'X' }] },
    ],
    ['session=nothing', { ...PERSON, id: 'person-3', sessionSecret: 'third', projects: [] }],
  ])
  const options = {
    publicUrl,
    store,
    documents,
    allowsRegistration: true,
    clock: { ...systemClock, now: () => new Date(Date.now() + moved.by) },
    personOf: async (request: Request) => people.get(request.headers.get('cookie') ?? ''),
    signInAt: (returnTo: string) => `/sign-in?to=${encodeURIComponent(returnTo)}`,
    isActive: async (person: string) => !gone.has(person),
    addressOf: (request: Request) => request.headers.get('x-test-address') ?? '192.0.2.1',
    told: async ({ source: _source, ...event }: SignInEvent) => void audited.push(event),
    trace: (thrown: unknown) => void told.push(thrown),
  }
  const door = bearerAccess(options)
  const app = new Hono()
  app.route('/', buildOAuthApp(options))
  app.all('/mcp', async (c) => {
    const token = bearerOf(c.req.raw)
    if (token === undefined) return door.challenge()
    const access = await door.accessOf(token)
    if (access === undefined) return door.challenge('invalid_token')
    if (c.req.query('writes') !== undefined && !access.scopes.includes('write')) return door.insufficient(['write'])
    return c.json(access)
  })
  const server: Listening = await listen(app.fetch, port)
  return {
    ...server,
    issuer: publicUrl,
    resource: `${publicUrl}/mcp`,
    store,
    told,
    audited,
    gone,
    moved,
    ...browser(publicUrl),
  }
}

export type OAuthDesk = Awaited<ReturnType<typeof openOAuthDesk>>

/** Simulates a person's browser and a small client. Neither follows redirects. */
function browser(origin: string) {
  const send = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { redirect: 'manual', ...init })
  const post = (path: string, fields: Fields, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', headers, body: new URLSearchParams(fields as [string, string][]) })
  const register = async (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    send('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test-address': randomBytes(8).toString('hex'), ...headers },
      body: JSON.stringify({
        client_name: 'A client',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        ...more,
      }),
    })
  const registered = async (more: Record<string, unknown> = {}) => {
    const answer = await register(more)
    if (answer.status !== 201) throw new Error(`not registered: ${await answer.text()}`)
    return ((await answer.json()) as { client_id: string }).client_id
  }
  const ask = (query: Fields, cookie = 'session=one') =>
    send(`/oauth/authorize?${new URLSearchParams(query as [string, string][])}`, { headers: { cookie } })
  const allow = async (page: Response, more: Fields = [], headers: Record<string, string> = {}) => {
    const html = await page.text()
    return post(
      '/oauth/authorize',
      [
        ['request', hidden(html, 'request')],
        ['seal', hidden(html, 'seal')],
        ['decision', 'allow'],
        ['scope', 'read'],
        ['scope', 'write'],
        ['project', 'P1'],
        ...more,
      ],
      { cookie: 'session=one', ...headers },
    )
  }
  /** Runs the whole flow up to a code. */
  const codeFor = async (client: string, more: Record<string, string> = {}) => {
    const { verifier, challenge } = pkce()
    const page = await ask(Object.entries({ ...request(client, challenge), ...more }))
    const answer = await allow(page)
    return { verifier, answer, code: landed(answer).get('code') ?? '' }
  }
  const trade = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    post('/oauth/token', Object.entries(fields), headers)
  const redeem = (client: string, { code, verifier }: { code: string; verifier: string }, more = {}) =>
    trade({
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      ...more,
    })
  const refresh = (client: string, token: string, more = {}) =>
    trade({ grant_type: 'refresh_token', client_id: client, refresh_token: token, ...more })
  const use = (token: string, path = '/mcp') => send(path, { headers: { authorization: `Bearer ${token}` } })
  /** A logged-in client. */
  const loggedIn = async () => {
    const client = await registered()
    const given = await codeFor(client)
    const tokens = (await (await redeem(client, given)).json()) as Tokens
    return { client, ...given, tokens }
  }
  return { send, post, register, registered, ask, allow, codeFor, trade, redeem, refresh, use, loggedIn }
}

export type Fields = readonly (readonly [string, string])[]
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const request = (client: string, challenge = pkce().challenge): Record<string, string> => ({
  response_type: 'code',
  client_id: client,
  redirect_uri: REDIRECT,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'a state & more',
})

/** The parameters of a redirect. */
export const landed = (response: Response): URLSearchParams =>
  new URL(response.headers.get('location') ?? 'http://nowhere.invalid/').searchParams

export const hidden = (html: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
