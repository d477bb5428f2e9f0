import { Hono } from 'hono'
import type { Offered } from '../../operations/context.ts'
import type { NamedPlace } from '../mcp/server.ts'
import { callerOf, nonceOfOwner, ownCookie, refuseHost } from './caller.ts'
import { answerEnterScript, answerEntry, ENTER, ENTER_SCRIPT } from './enter-page.ts'
import type { KeptCalls } from './kept-calls.ts'
import { addOperations, type Asker, type RouteOptions } from './operation-routes.ts'
import { isOwnPath } from './own-path.ts'
import { proofOf } from './owner-proof.ts'
import type { PageConfirmations } from './page-confirmations.ts'
import { answerWithFile, PAGE_HEADERS, type WebFiles } from './page-files.ts'
import type { PageSessions } from './page-sessions.ts'
import { denied, nothingHere } from './refusals.ts'

export interface HttpOptions extends Omit<RouteOptions, 'mcp'> {
  context(named: NamedPlace, surface: Asker['surface']): Promise<Offered>
  /** For programs on this machine. */
  readonly programs?: Programs
  /** For a person's browser. */
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
    const { pathname } = new URL(c.req.url)
    if (/^\/(?:v1|mcp|openapi\.json)(?:\/|$)/.test(pathname)) return next()
    return (await answerWithFile(pathname, files)) ?? nothingHere()
  })
}
