import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import type { Allowances } from '../../../kernel/domain/limits/allowance.ts'
import type { Metrics } from '../../../kernel/domain/metrics.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import type { Offered } from '../../../operations/context.ts'
import { isNoLess, type Caller, type Rights } from '../../../team/domain/may.ts'
import type { NamedPlace } from '../../mcp/server.ts'
import { sizeOfBody } from '../body-budget.ts'
import { bearerOf } from '../oauth/bearer-access.ts'
import { addOperations, LARGEST_BODY, type Asker, type RouteOptions } from '../operation-routes.ts'
import { PAGE_HEADERS } from '../page-files.ts'
import { sendTo } from '../plain-page.ts'
import { denied, tooMany } from '../refusals.ts'
import { addChannels, type ChannelHooks } from './channel-routes.ts'
import { addGitHooks, type GitHookDoor } from './git-hooks.ts'
import { addMemoryRoutes, type MemoryRoutesOptions } from './memory-routes.ts'
import { addRecords, type RecordRoutes } from './record-routes.ts'
import { routeOf, type RequestLine } from './request-log.ts'
import type { RequestSources } from './request-source.ts'
import { addScim } from './scim-routes.ts'
import { openTokenRoutes, type TeamLimits } from './token-routes.ts'
import { openWatchedStreams } from './watched-streams.ts'

export interface TeamAppOptions extends Omit<RouteOptions, 'mcp'> {
  /** The server's origin for people and clients. */
  readonly publicUrl: string
  /** The caller of a bearer token; undefined if it is invalid. */
  callerOf(token: string): Promise<Caller | undefined>
  context(asked: TeamAsked): Promise<Offered>
  mcp(request: Request, asked: Pick<TeamAsked, 'caller' | 'source'>): Promise<Response>
  /** Routes for people in a browser, and for programs on their behalf. */
  readonly people?: BrowserRoutes
  readonly records: RecordRoutes
  /** Handles messages from channels such as Slack; without it there are none. */
  readonly hooks?: ChannelHooks | undefined
  readonly gitHooks?: GitHookDoor
  readonly sources: RequestSources
  projectsOf(caller: Caller): Promise<Rights['projects']>
  /** Milliseconds after which the permissions of a stream's reader are checked again. */
  readonly recheck?: number
  /** Readiness for requests. */
  isReady(): Promise<boolean>
  readonly allowances: Allowances
  readonly limits: TeamLimits
  readonly metrics: Metrics
  readonly memory: MemoryRoutesOptions
  log(line: RequestLine): void
  now(): Date
}

export interface TeamAsked {
  readonly caller: Caller
  /** The client address of the request. */
  readonly source: string
  readonly surface: Asker['surface']
  readonly named: NamedPlace
  /** Repeating a call with the same key changes the record only once. */
  readonly key?: string | undefined
}

interface TeamAsker extends Asker {
  readonly caller: Caller
  readonly source: string
}

export interface BrowserRoutes {
  /** Sign-in pages and OAuth. */
  readonly apps: readonly Hono[]
  /** The value of a session cookie. */
  sessionOf(request: Request): string | undefined
  callerOfSession(secret: string): Promise<Caller | undefined>
  /** The web app, for signed-in people. */
  page(request: Request, caller: Caller): Promise<Response>
  /** The files of the web app, which reveal nothing about a project. */
  asset(request: Request): Promise<Response | undefined>
  signInAt(to: string): string
  /** 401, with the URL where a client finds out how to get a token. */
  challenge(problem?: 'invalid_token'): Response
}

interface Variables {
  asker: TeamAsker
  caller: Caller
}

const RECHECK_MS = 15_000
// Far below the connections that a server accepts.
const MOST_STREAMS = 100
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** REST and MCP for a team: every caller has a token, and the permissions of the table apply. */
export function buildTeamApp(options: TeamAppOptions): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>()
  watch(app, options)
  app.onError((thrown) => {
    options.trace?.(thrown)
    return teamFailure(thrown)
  })
  app.get('/health', (c) => c.json({ ok: true, version: options.version }))
  app.get('/ready', async (c) => ((await options.isReady()) ? c.json({ ok: true }) : c.json({ ok: false }, 503)))
  app.use(async (c, next) => refuseElsewhere(c.req.raw, options.publicUrl) ?? next())
  app.use(async (c, next) => {
    const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
    options.sources.saw(c.req.raw, incoming?.socket?.remoteAddress)
    return next()
  })
  if (options.hooks) addChannels(app, options.hooks, options.sources)
  if (options.gitHooks) addGitHooks(app, options.gitHooks, options)
  if (options.people) addPeople(app, options.people, options)
  const enter = openTokenRoutes(options)
  const streams = openWatchedStreams({ every: options.recheck ?? RECHECK_MS, most: MOST_STREAMS })
  const rightsOf = async (caller: Caller): Promise<Rights> => ({ caller, projects: await options.projectsOf(caller) })
  app.use(async (c, next) => {
    const source = options.sources.of(c.req.raw)
    const { surface, secret, callerOf } = shownBy(c.req.raw, options)
    const { wait, caller } = await enter({
      secret,
      callerOf,
      source,
      bytes: sizeOfBody(c.req.raw, LARGEST_BODY),
    })
    if (caller !== undefined) c.set('caller', caller)
    if (wait > 0) return tooMany(wait)
    if (secret === undefined || caller === undefined)
      return (
        options.people?.challenge(secret === undefined ? undefined : 'invalid_token') ?? challenge(options.publicUrl)
      )
    const context: Asker['context'] = (named, key) => options.context({ caller, source, surface, named, key })
    c.set('asker', { surface, caller, source, context })
    await next()
    const watched = streams.watch(c.res, caller.person, async () => {
      const before = await rightsOf(caller)
      return async () => {
        const now = await callerOf(secret)
        return now !== undefined && isNoLess(before, await rightsOf(now))
      }
    })
    if (watched !== c.res) c.res = watched
  })
  addRecords(app, options.records, options.trace)
  addMemoryRoutes(app, options.memory)
  addScim(app, options)
  addOperations(app, {
    operations: options.operations,
    version: options.version,
    takesKeys: true,
    mcp: (request, asker) => options.mcp(request, asker as TeamAsker),
    ...(options.trace && { trace: options.trace }),
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
  })
  return app
}

/** The routes for browsers: sign-in pages, and the web app for signed-in people. */
function addPeople(
  app: Hono<{ Variables: Variables }>,
  people: BrowserRoutes,
  { allowances, limits, sources }: Pick<TeamAppOptions, 'allowances' | 'limits' | 'sources'>,
): void {
  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(PAGE_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  })
  for (const one of people.apps) app.route('/', one)
  app.get('*', async (c, next) => {
    if (/^\/(?:v1|scim|mcp|openapi\.json)(?:\/|$)/.test(c.req.path)) return next()
    const asset = await people.asset(c.req.raw)
    if (asset !== undefined) return asset
    const wait = allowances.take(`from ${sources.of(c.req.raw)}`, limits.nobody)
    if (wait > 0) return tooMany(wait)
    const secret = people.sessionOf(c.req.raw)
    const caller = secret === undefined ? undefined : await people.callerOfSession(secret)
    if (caller !== undefined) return people.page(c.req.raw, caller)
    const { pathname, search } = new URL(c.req.url)
    return sendTo(people.signInAt(`${pathname}${search}`))
  })
}

/** How a request authenticates: by a token, or by the session of one of our pages. */
function shownBy(
  request: Request,
  { people, callerOf, publicUrl }: Pick<TeamAppOptions, 'people' | 'callerOf' | 'publicUrl'>,
): { surface: Asker['surface']; secret: string | undefined; callerOf: TeamAppOptions['callerOf'] } {
  const token = bearerOf(request)
  if (token !== undefined || people === undefined || !isOwnScript(request, publicUrl))
    return { surface: 'http', secret: token, callerOf }
  return { surface: 'app', secret: people.sessionOf(request), callerOf: people.callerOfSession }
}

/** A session is valid only for scripts of our pages: a browser marks every script request. */
function isOwnScript({ headers }: Request, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (headers.get('x-ken-key') === null) return false
  return site === null ? headers.get('origin') === publicUrl : site === 'same-origin'
}

/** Counts and logs every request, whatever its outcome. */
function watch(app: Hono<{ Variables: Variables }>, { metrics, log, now, operations }: TeamAppOptions): void {
  const names = new Set(operations.map(({ name }) => name))
  const requests = metrics.counter('ken_requests_total', 'Requests by route and status.')
  const seconds = metrics.histogram('ken_request_seconds', 'How long requests took until their answer began.', SECONDS)
  let underWay = 0
  metrics.gauge('ken_requests_under_way', 'Requests whose answer has not begun.', () => underWay)
  app.use(async (c, next) => {
    const request = randomUUID()
    const began = performance.now()
    underWay += 1
    try {
      await next()
    } finally {
      underWay -= 1
      const route = routeOf(c.req.path, (name) => names.has(name))
      const ms = performance.now() - began
      const { status } = c.res
      requests.add({ route, status: String(status) })
      seconds.observe(ms / 1_000, { route })
      c.res.headers.set('x-request-id', request)
      const caller = c.get('caller') as Caller | undefined
      // Monitoring calls these every few seconds.
      if (route !== '/health' && route !== '/ready')
        log({
          at: now().toISOString(),
          request,
          method: c.req.method,
          route,
          status,
          ms: Math.round(ms),
          ...(caller && { person: caller.person, organisation: caller.organisation }),
        })
    }
  })
}

/** Refuses pages of other sites, and host names that resolve here but are not ours. */
function refuseElsewhere(request: Request, publicUrl: string): Response | undefined {
  const own = new URL(publicUrl)
  if (request.headers.get('host') !== own.host) return denied(403, 'The Host header names another server.')
  const origin = request.headers.get('origin')
  return origin !== null && origin !== own.origin ? denied(403, 'The Origin header names another site.') : undefined
}

const challenge = (publicUrl: string): Response =>
  Response.json(
    {
      error: { code: 'forbidden', message: 'A token is needed.', hint: `Create one at ${publicUrl}, or ask an admin.` },
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  )

/**
 * The response if authentication failed with an error: mostly an unreachable database. An unexpected error may contain
 * anything, so none of it is shown.
 */
function teamFailure(thrown: unknown): Response {
  if (!(thrown instanceof AppError))
    return Response.json({ error: { code: 'internal', message: 'A fault in Ken itself.' } }, { status: 500 })
  const { code, message, hint } = toAppError(thrown)
  return Response.json({ error: { code, message, ...(hint && { hint }) } }, { status: ERROR_TABLE[code].http })
}
