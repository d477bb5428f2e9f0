import { readRequestBody } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { AppError, ERROR_TABLE } from '../../core/errors.ts'
import { spellNames } from '../../core/named-operation.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { visibleDeep } from '../../core/trust/visible.ts'
import { withoutPerson } from '../../operations/agent/without-person.ts'
import { asMeant, unwrapped } from '../../operations/as-meant.ts'
import { call } from '../../operations/call.ts'
import type { Operation } from '../../operations/operation.ts'
import { forAgents, FOR_PROGRAMS, forTerminal } from '../../operations/spelling.ts'
import type { Context } from '../../ports/context.ts'
import { withProject, type NamedPlace } from '../mcp/server.ts'
import { openBodyBudget, whenRead } from './body-budget.ts'
import { callerOf, nonceOfOwner, ownCookie, refuseHost, type HttpCaller } from './caller.ts'
import { answerEnterScript, answerEntry, ENTER, ENTER_SCRIPT } from './enter-page.ts'
import { streamCall, type StreamedCall } from './event-stream.ts'
import type { KeptCalls } from './kept-calls.ts'
import { openApi } from './openapi.ts'
import { proofOf } from './owner-proof.ts'
import { answerWithFile, PAGE_HEADERS, type WebFiles } from './page-files.ts'
import type { PageSessions } from './page-sessions.ts'
import { busy, denied, nothingHere } from './refusals.ts'

export interface HttpOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  context(named: NamedPlace, caller: HttpCaller): Promise<Context>
  /** Tells the whole of what went wrong, where that is wanted. */
  trace?(thrown: unknown): void
  /** Milliseconds of silence after which a stream shows that it lives. */
  readonly heartbeat?: number
  /** For programs on this machine. */
  readonly programs?: Programs
  /** For a person's browser. */
  readonly pages?: Pages
}

export interface Programs {
  /** Whether a bearer token is the right one. */
  accepts(token: string): boolean
  /** Answers `/mcp`. */
  mcp(request: Request): Promise<Response>
}

export interface Pages {
  readonly sessions: PageSessions
  readonly files: WebFiles
  readonly calls: KeptCalls
  /** Another process of the same user knows it, and may ask for a link. */
  readonly secret: string
}

export const LARGEST_BODY = 4 * 1024 * 1024
// A hundred of the largest, or many thousand of the usual size.
const ALL_BODIES = 100 * LARGEST_BODY
// Proxies and browsers give up on a connection that is silent for half a minute or more.
const HEARTBEAT = 15_000
const TOO_LARGE = `A body may have ${LARGEST_BODY / 1024 / 1024} MB.`

/**
 * REST and MCP for programs on this machine, and the web app for the person at it. Another site's page can use neither:
 * Host, Origin, and token or session are all checked.
 */
export function buildHttpApp(options: HttpOptions): Hono<{ Variables: { caller: HttpCaller } }> {
  const { programs, pages } = options
  const app = new Hono<{ Variables: { caller: HttpCaller } }>()
  app.use(async (c, next) => refuseHost(c.req.raw) ?? next())
  if (pages)
    app.use(async (c, next) => {
      await next()
      for (const [name, value] of Object.entries(PAGE_HEADERS)) c.res.headers.set(name, value)
    })
  app.get('/health', (c) => c.json({ ok: true, version: options.version }))
  if (pages) addPages(app, pages)
  app.use(async (c, next) => {
    const caller = callerOf(c.req.raw, options)
    if (typeof caller !== 'string') return caller
    c.set('caller', caller)
    return next()
  })
  app.get('/openapi.json', (c) => c.json(openApi(options.operations, options.version)))
  const takeRoom = openBodyBudget(ALL_BODIES, LARGEST_BODY)
  const withRoom = async (request: Request, answer: () => Promise<Response>): Promise<Response> => {
    const giveBack = takeRoom(request)
    if (giveBack === undefined) return busy()
    return answer().then(
      (response) => whenRead(response, giveBack),
      (thrown: unknown) => {
        giveBack()
        throw thrown
      },
    )
  }
  if (programs) app.all('/mcp', (c) => withRoom(c.req.raw, () => programs.mcp(c.req.raw)))
  for (const operation of options.operations) {
    const path = `/v1/${operation.name}`
    const answer = (c: { readonly req: { readonly raw: Request }; get(name: 'caller'): HttpCaller }) =>
      operation.hiddenFrom[c.get('caller')] === undefined
        ? withRoom(c.req.raw, () => answerCall(c.req.raw, { operation, caller: c.get('caller') }, options))
        : nothingHere()
    app.post(path, answer)
    if (BY_GET.has(operation.name)) app.get(path, answer)
    if (pages)
      app.delete(path, (c) => Response.json({ stopped: pages.calls.stop(keptName(c.req.raw, operation) ?? '') }))
  }
  app.notFound(() => nothingHere())
  return app
}

/** What a browser is given before anybody knows who it is: the code of the app, which tells nothing of a project. */
function addPages(app: Hono<{ Variables: { caller: HttpCaller } }>, { sessions, files, secret }: Pages): void {
  app.get(ENTER, (c) => answerEntry(c.req.raw, sessions))
  app.get(ENTER_SCRIPT, answerEnterScript)
  app.post('/invite', async (c) => {
    const nonce = nonceOfOwner(c.req.raw, secret)
    if (nonce === undefined) return denied(401, 'Only another `ken app` is given a link.')
    const { to } = (await c.req.json().catch(() => ({}))) as { to?: unknown }
    const code = sessions.invite(isOwnPath(to) ? to : '/')
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
  app.get('*', async (c, next) => {
    const { pathname } = new URL(c.req.url)
    if (/^\/(?:v1|mcp|openapi\.json)(?:\/|$)/.test(pathname)) return next()
    return (await answerWithFile(pathname, files)) ?? nothingHere()
  })
}

/** A browser leaves out tabs and line ends before it looks where an address leads. */
const isOwnPath = (to: unknown): to is string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && to.length < 2_000

/** An EventSource can only GET. */
const BY_GET: ReadonlySet<string> = new Set(['chat_follow'])

async function answerCall(
  request: Request,
  { operation, caller }: { operation: Operation; caller: HttpCaller },
  options: HttpOptions,
): Promise<Response> {
  const failed = (thrown: unknown): Response => {
    options.trace?.(thrown)
    return failure(toAppError(thrown), caller === 'app' ? forPages(operation) : forPrograms)
  }
  try {
    const body = request.method === 'GET' ? inputInUrl(request) : await readBody(request)
    if (body === TOO_LARGE) return denied(413, TOO_LARGE)
    const raw = unwrapped(body, operation)
    const { named, input: given } = isObject(raw)
      ? withProject(fromLastEvent(raw, request, operation), operation, placeNamed(request))
      : { named: placeNamed(request), input: raw }
    const ctx = await options.context(named, caller)
    const { input, told } = asMeant(operation, given, ctx.clock.now().getTime())
    const pages = caller === 'app' ? options.pages : undefined
    const heard = {
      ...ctx,
      ...(pages && { browsers: async () => pages.sessions.seenBy(ownCookie(request, pages.sessions)) }),
      notices: () => [...(ctx.notices?.() ?? []), ...told],
    }
    if (wantsEvents(request))
      return await streamCall(
        request,
        keptBy(request, operation, options.pages?.calls, async (through) => {
          const { output } = await call({ ...heard, ...through }, operation, input)
          return output
        }),
        {
          heartbeat: options.heartbeat ?? HEARTBEAT,
          failure: failed,
          end: pages?.sessions.endOf(ownCookie(request, pages.sessions)),
        },
      )
    const { output } = await call(
      { ...heard, ...ifUnheard(operation, input, ctx), signal: request.signal },
      operation,
      input,
    )
    return Response.json(output)
  } catch (thrown) {
    return failed(thrown)
  }
}

/** Who waits for the whole answer hears of no call that needs a yes; a turn of its own has other listeners. */
const ifUnheard = (operation: Operation, input: unknown, ctx: Context): Pick<Context, 'hear'> =>
  operation.name === 'ask' && !(isObject(input) && input['detach'] === true) ? { hear: withoutPerson(ctx) } : {}

const wantsEvents = ({ headers }: Request): boolean => /\btext\/event-stream\b/i.test(headers.get('accept') ?? '')

/** The fields of a call, without what says which project it is about. */
function inputInUrl(request: Request): Record<string, unknown> {
  const { project: _project, directory: _directory, ...input } = Object.fromEntries(new URL(request.url).searchParams)
  return input
}

/** A browser that comes back says in a header what it heard last. */
function fromLastEvent(
  input: Record<string, unknown>,
  { headers }: Request,
  operation: Operation,
): Record<string, unknown> {
  const last = headers.get('last-event-id')
  return last === null || last === '' || !('after' in operation.input.shape) ? input : { ...input, after: last }
}

type Run = (through: StreamedCall) => Promise<Readonly<Record<string, unknown>>>

/** A call that its caller named goes on without the caller, and is found again by its name. */
function keptBy(request: Request, operation: Operation, calls: KeptCalls | undefined, run: Run): Run {
  const name = keptName(request, operation)
  if (name === undefined || calls === undefined) return run
  if (request.headers.get('x-ken-attach') === null) return (through) => calls.join(name, through, run)
  return async (through) => {
    const found = calls.follow(name, through)
    if (found !== undefined) return found
    throw new AppError('not_found', 'Nothing of that name is under way.', { hint: 'Begin it again.' })
  }
}

function keptName(request: Request, { name }: Operation): string | undefined {
  const id = request.headers.get('x-ken-call')
  return id === null || id === '' || id.length > 200 ? undefined : JSON.stringify([name, placeNamed(request), id])
}

/** What a request says about its project outside its body: the URL before the headers. */
export function placeNamed(request: Request): NamedPlace {
  const query = new URL(request.url).searchParams
  for (const said of [(name: string) => query.get(name), (name: string) => request.headers.get(`x-ken-${name}`)]) {
    const [project, directory] = [said('project'), said('directory')].map((text) => text?.trim() || undefined)
    if (project !== undefined || directory !== undefined)
      return { ...(project !== undefined && { project }), ...(directory !== undefined && { directory }) }
  }
  return {}
}

/** Stops as soon as more than the limit has come, whatever the request said about its length. */
async function readBody(request: Request): Promise<unknown> {
  const body = await readRequestBody(request, LARGEST_BODY)
  if (body.tooLarge) return TOO_LARGE
  const { text } = body
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Spelled = (text: string) => string

const forPrograms: Spelled = (text) => forAgents(spellNames(text, FOR_PROGRAMS))
/** What a page cannot do, its reader does at a terminal. */
const forPages =
  (operation: Operation): Spelled =>
  (text) =>
    spellNames(text, forTerminal(operation))

function failure(error: AppError, spelled: Spelled): Response {
  const told = { code: error.code, message: spelled(error.message), ...(error.hint && { hint: spelled(error.hint) }) }
  return Response.json(visibleDeep({ error: told }), { status: ERROR_TABLE[error.code].http })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
