import { readRequestBody } from '@modelcontextprotocol/server'
import type { Hono } from 'hono'
import { AppError, ERROR_TABLE } from '../../core/errors.ts'
import { spellNames } from '../../core/named-operation.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { visibleDeep } from '../../core/trust/visible.ts'
import { withoutPerson } from '../../operations/agent/without-person.ts'
import { asMeant, unwrapped } from '../../operations/as-meant.ts'
import { call } from '../../operations/call.ts'
import type { Operation } from '../../operations/operation.ts'
import { forAgents, FOR_PROGRAMS, forTerminal } from '../../operations/spelling.ts'
import type { Browsers } from '../../ports/browsers.ts'
import type { Context } from '../../ports/context.ts'
import { withProject, type NamedPlace } from '../mcp/server.ts'
import { openBodyBudget, whenRead } from './body-budget.ts'
import { streamCall, type StreamedCall, type StreamOptions } from './event-stream.ts'
import type { KeptCalls } from './kept-calls.ts'
import { openApi } from './openapi.ts'
import { busy, denied, nothingHere } from './refusals.ts'

/** Who asks, as the door before the operations has found out. */
export interface Asker {
  /** A program shows a token; a page has the session of the person who opened it. */
  readonly surface: 'http' | 'app'
  context(named: NamedPlace): Promise<Context>
  /** What a page has besides. */
  readonly page?: {
    readonly calls: KeptCalls
    readonly browsers: Browsers
    /** When its session ends, what it hears ends as well. */
    readonly end: StreamOptions['end']
  }
}

export interface RouteOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  /** Answers `/mcp`. */
  mcp?(request: Request, asker: Asker): Promise<Response>
  /** Tells the whole of what went wrong, where that is wanted. */
  trace?(thrown: unknown): void
  /** Milliseconds of silence after which a stream shows that it lives. */
  readonly heartbeat?: number
}

export const LARGEST_BODY = 4 * 1024 * 1024
// A hundred of the largest, or many thousand of the usual size.
const ALL_BODIES = 100 * LARGEST_BODY
// Proxies and browsers give up on a connection that is silent for half a minute or more.
const HEARTBEAT = 15_000
const TOO_LARGE = `A body may have ${LARGEST_BODY / 1024 / 1024} MB.`

/** `/v1/<operation>`, `/mcp` and `/openapi.json`, for whoever came through the door before them. */
export function addOperations(app: Hono<{ Variables: { asker: Asker } }>, options: RouteOptions): void {
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
  const { mcp } = options
  if (mcp) app.all('/mcp', (c) => withRoom(c.req.raw, () => mcp(c.req.raw, c.get('asker'))))
  for (const operation of options.operations) {
    const path = `/v1/${operation.name}`
    const answer = (c: { readonly req: { readonly raw: Request }; get(name: 'asker'): Asker }) =>
      operation.hiddenFrom[c.get('asker').surface] === undefined
        ? withRoom(c.req.raw, () => answerCall(c.req.raw, { operation, asker: c.get('asker') }, options))
        : nothingHere()
    app.post(path, answer)
    if (BY_GET.has(operation.name)) app.get(path, answer)
    app.delete(path, (c) => {
      const { page } = c.get('asker')
      if (page === undefined) return nothingHere()
      return Response.json({ stopped: page.calls.stop(keptName(c.req.raw, operation) ?? '') })
    })
  }
  app.notFound(() => nothingHere())
}

/** An EventSource can only GET. */
const BY_GET: ReadonlySet<string> = new Set(['chat_follow'])

async function answerCall(
  request: Request,
  { operation, asker }: { operation: Operation; asker: Asker },
  options: RouteOptions,
): Promise<Response> {
  const { page } = asker
  const failed = (thrown: unknown): Response => {
    options.trace?.(thrown)
    return failure(toAppError(thrown), asker.surface === 'app' ? forPages(operation) : forPrograms)
  }
  try {
    const body = request.method === 'GET' ? inputInUrl(request) : await readBody(request)
    if (body === TOO_LARGE) return denied(413, TOO_LARGE)
    const raw = unwrapped(body, operation)
    const { named, input: given } = isObject(raw)
      ? withProject(fromLastEvent(raw, request, operation), operation, placeNamed(request))
      : { named: placeNamed(request), input: raw }
    const ctx = await asker.context(named)
    const { input, told } = asMeant(operation, given, ctx.clock.now().getTime())
    const heard = {
      ...ctx,
      ...(page && { browsers: async () => page.browsers }),
      notices: () => [...(ctx.notices?.() ?? []), ...told],
    }
    if (wantsEvents(request))
      return await streamCall(
        request,
        keptBy(request, operation, page?.calls, async (through) => {
          const { output } = await call({ ...heard, ...through }, operation, input)
          return output
        }),
        { heartbeat: options.heartbeat ?? HEARTBEAT, failure: failed, end: page?.end },
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
