import { Hono } from 'hono'
import type { Offered } from '../../operations/context.ts'
import type { NamedPlace } from '../mcp/server.ts'
import { answerEnterScript, answerEntry, ENTER, ENTER_SCRIPT, cookiesOf } from './enter-page.ts'
import type { KeptCalls } from './kept-calls.ts'
import { addOperations, type RouteOptions } from './operation-routes.ts'
import type { Asker } from './operation-routes.ts'
import { isOwnPath } from './own-path.ts'
import { proofOf, isProof } from './owner-proof.ts'
import type { PageConfirmations } from './page-confirmations.ts'
import { answerWithFile, PAGE_HEADERS, type WebFiles } from './page-files.ts'
import type { PageSessions } from './page-sessions.ts'
import { denied, nothingHere } from './refusals.ts'

export interface HttpOptions extends Omit<RouteOptions, 'mcp'> {
  context(named: NamedPlace, surface: Asker['surface']): Promise<Offered>
  /** Access for programs on this machine. */
  readonly programs?: Programs
  /** Access for a person's browser. */
  readonly pages?: Pages
}

export interface Programs {
  /** Checks a bearer token. */
  accepts(token: string): boolean
  /** Handles `/mcp`. */
  mcp(request: Request): Promise<Response>
}

export interface Pages {
  readonly sessions: PageSessions
  readonly files: WebFiles
  readonly calls: KeptCalls
  readonly confirmations: PageConfirmations
  /** A one-time code that signs one browser in at an address of the app. */
  invite(to: string): string
  /** Whether the user opened the app in this folder. */
  isOpened(folder: string): boolean
  /** Shared with other processes of the same user, which may request a link. */
  readonly secret: string
}

/**
 * REST and MCP for programs on this machine, and the web app for its user. Pages of other sites can use neither: Host,
 * Origin, and token or session are all checked.
 */
export function buildHttpApp(options: HttpOptions): Hono<{ Variables: { asker: Asker } }> {
  const { programs, pages } = options
  const app = new Hono<{ Variables: { asker: Asker } }>()
  app.use(async (c, next) => refuseHost(c.req.raw) ?? next())
  if (pages)
    app.use(async (c, next) => {
      await next()
      for (const [name, value] of Object.entries(PAGE_HEADERS)) c.res.headers.set(name, value)
    })
  app.get('/health', (c) => c.json({ ok: true, version: options.version }))
  if (pages) addPages(app, pages)
  app.use(async (c, next) => {
    const surface = callerOf(c.req.raw, options)
    if (typeof surface !== 'string') return surface
    c.set('asker', {
      surface,
      context: (named) => options.context(named, surface),
      ...(surface === 'app' && pages && { page: pageOf(c.req.raw, pages) }),
    })
    return next()
  })
  addOperations(app, { ...options, ...(programs && { mcp: programs.mcp }) })
  return app
}

function pageOf(request: Request, pages: Pages): NonNullable<Asker['page']> {
  const cookie = ownCookie(request, pages.sessions)
  return {
    calls: pages.calls,
    browsers: pages.sessions.seenBy(cookie),
    end: pages.sessions.endOf(cookie),
    confirmations: pages.confirmations,
    session: pages.sessions.idOf(cookie) ?? '',
    isOpened: pages.isOpened,
  }
}

/** Served before authentication: the code of the app, which reveals nothing about a project. */
function addPages(
  app: Hono<{ Variables: { asker: Asker } }>,
  { sessions, files, secret, confirmations, invite }: Pages,
): void {
  app.get(ENTER, (c) => answerEntry(c.req.raw, sessions))
  app.get(ENTER_SCRIPT, answerEnterScript)
  app.post('/invite', async (c) => {
    const nonce = nonceOfOwner(c.req.raw, secret)
    if (nonce === undefined) return denied(401, 'Only another `ken app` is given a link.')
    const { to } = (await c.req.json().catch(() => ({}))) as { to?: unknown }
    const code = invite(isOwnPath(to) ? to : '/')
    return c.json({ code, proof: proofOf({ secret, side: 'answers', said: [nonce, code] }) })
  })
  app.post('/browsers', async (c) => {
    const nonce = nonceOfOwner(c.req.raw, secret)
    if (nonce === undefined) return denied(401, 'Only `ken browsers` is told.')
    const { end } = (await c.req.json().catch(() => ({}))) as { end?: unknown }
    const seen = sessions.seenBy(undefined)
    if (Array.isArray(end)) await seen.end(end.filter((id) => typeof id === 'string'))
    const browsers = JSON.stringify(await seen.list())
    return c.json({ browsers, proof: proofOf({ secret, side: 'answers', said: [nonce, browsers] }) })
  })
  app.post('/changes', async (c) => {
    const nonce = nonceOfOwner(c.req.raw, secret)
    if (nonce === undefined) return denied(401, 'Only `ken confirm` is given the codes.')
    const changes = JSON.stringify(confirmations.list())
    return c.json({ changes, proof: proofOf({ secret, side: 'answers', said: [nonce, changes] }) })
  })
  app.get('*', async (c, next) => {
    if (/^\/(?:v1|mcp|openapi\.json)(?:\/|$)/.test(new URL(c.req.url).pathname)) return next()
    return (await answerWithFile(c.req.raw, files)) ?? nothingHere()
  })
}

interface Doors {
  readonly programs?: { accepts(token: string): boolean }
  readonly pages?: { readonly sessions: PageSessions }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses another host name, or another site's page, before anything else. */
function refuseHost(request: Request): Response | undefined {
  const host = hostname(`http://${request.headers.get('host') ?? ''}`)
  const origin = request.headers.get('origin')
  if (!LOOPBACK.has(host)) return denied(403, 'The Host header names another machine.')
  if (origin !== null && !LOOPBACK.has(hostname(origin))) return denied(403, 'The Origin header names another site.')
  return undefined
}

/** A token belongs to a program; a session is valid only for its page, in exactly its origin. */
function callerOf(request: Request, { programs, pages }: Doors): Asker['surface'] | Response {
  const token = bearerOf(request)
  if (programs && token !== undefined && programs.accepts(token)) return 'http'
  if (!pages) return denied(401, 'A bearer token is needed; `ken serve --http` says where it is.')
  const [origin, site] = [request.headers.get('origin'), request.headers.get('sec-fetch-site')]
  if (origin !== null && origin !== new URL(request.url).origin)
    return denied(403, 'The Origin header names another site.')
  if (site !== null && site !== 'same-origin') return denied(403, 'The request comes from another site.')
  return ownCookie(request, pages.sessions) === undefined
    ? denied(401, 'This page has no session.', 'Run `ken app` to open one.')
    : 'app'
}

/** The session cookie that belongs to the key; undefined if there is none. */
const ownCookie = (request: Request, sessions: PageSessions): string | undefined =>
  cookiesOf(request).find((cookie) => sessions.holds(cookie, request.headers.get('x-ken-key')))

/** The nonce of a request from another process of the same user; undefined without valid proof. */
function nonceOfOwner(request: Request, secret: string): string | undefined {
  const nonce = request.headers.get('x-ken-nonce') ?? ''
  return nonce !== '' && isProof(bearerOf(request), { secret, side: 'asks', said: [nonce] }) ? nonce : undefined
}

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]

function hostname(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}
