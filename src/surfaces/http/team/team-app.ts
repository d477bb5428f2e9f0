import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Allowance, Allowances } from '../../../core/limits/allowance.ts'
import type { Metrics } from '../../../core/metrics/metrics.ts'
import type { Caller } from '../../../core/team/may.ts'
import type { Context } from '../../../ports/context.ts'
import type { NamedPlace } from '../../mcp/server.ts'
import { bearerOf } from '../oauth/bearer-access.ts'
import { addOperations, type Asker, type RouteOptions } from '../operation-routes.ts'
import { denied } from '../refusals.ts'
import { doorFailure } from './door-failure.ts'
import { routeOf, type RequestLine } from './request-log.ts'

export interface TeamAppOptions extends Omit<RouteOptions, 'mcp'> {
  /** The origin under which people and clients reach the server. */
  readonly publicUrl: string
  /** Whoever a bearer token stands for; undefined where it stands for nobody. */
  callerOf(token: string): Promise<Caller | undefined>
  context(asked: TeamAsked): Promise<Context>
  mcp(request: Request, caller: Caller): Promise<Response>
  /** Whether requests should be sent here. */
  isReady(): Promise<boolean>
  readonly allowances: Allowances
  readonly limits: TeamLimits
  readonly metrics: Metrics
  log(line: RequestLine): void
  now(): Date
}

export interface TeamAsked {
  readonly caller: Caller
  readonly surface: Asker['surface']
  readonly named: NamedPlace
}

export interface TeamLimits {
  readonly person: Allowance
  /** Of requests that prove nothing, all together. */
  readonly nobody: Allowance
}

interface Variables {
  asker: Asker
  caller: Caller
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** REST and MCP for a team: everybody shows a token, and does what the table of permissions lets them. */
export function buildTeamApp(options: TeamAppOptions): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>()
  watch(app, options)
  app.onError((thrown) => {
    options.trace?.(thrown)
    return doorFailure(thrown)
  })
  app.get('/health', (c) => c.json({ ok: true, version: options.version }))
  app.get('/ready', async (c) => ((await options.isReady()) ? c.json({ ok: true }) : c.json({ ok: false }, 503)))
  app.use(async (c, next) => refuseElsewhere(c.req.raw, options.publicUrl) ?? next())
  app.use(async (c, next) => {
    const token = bearerOf(c.req.raw)
    const caller = token === undefined ? undefined : await options.callerOf(token)
    const wait = options.allowances.take(
      caller?.person ?? 'nobody',
      caller === undefined ? options.limits.nobody : options.limits.person,
    )
    if (wait > 0) return tooMany(wait)
    if (caller === undefined) return challenge(options.publicUrl)
    c.set('caller', caller)
    c.set('asker', { surface: 'http', context: (named) => options.context({ caller, surface: 'http', named }) })
    return next()
  })
  app.all('/mcp', (c) => options.mcp(c.req.raw, c.get('caller')))
  addOperations(app, {
    operations: options.operations,
    version: options.version,
    ...(options.trace && { trace: options.trace }),
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
  })
  return app
}

/** Counts and tells of every request, whatever becomes of it. */
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
      // Those who look after the server ask every few seconds.
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

/** A page of another site, and a name that leads here and is not ours, get nothing. */
function refuseElsewhere(request: Request, publicUrl: string): Response | undefined {
  const own = new URL(publicUrl)
  if (request.headers.get('host') !== own.host) return denied(403, 'The Host header names another server.')
  const origin = request.headers.get('origin')
  return origin !== null && origin !== own.origin ? denied(403, 'The Origin header names another site.') : undefined
}

const challenge = (publicUrl: string): Response =>
  Response.json(
    {
      error: { code: 'forbidden', message: 'A token is needed.', hint: `Make one at ${publicUrl}, or ask an admin.` },
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  )

const tooMany = (seconds: number): Response =>
  Response.json(
    { error: { code: 'unavailable', message: 'Too many requests.', hint: `Try again in ${seconds} s.` } },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  )
