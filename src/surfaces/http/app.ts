import { readRequestBody } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { ERROR_TABLE, type AppError } from '../../core/errors.ts'
import { spellNames } from '../../core/named-operation.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { visibleDeep } from '../../core/trust/visible.ts'
import { withoutPerson } from '../../operations/agent/without-person.ts'
import { asMeant, unwrapped } from '../../operations/as-meant.ts'
import { call } from '../../operations/call.ts'
import type { Operation } from '../../operations/operation.ts'
import { forAgents, FOR_PROGRAMS } from '../../operations/spelling.ts'
import type { Context } from '../../ports/context.ts'
import { withProject, type NamedPlace } from '../mcp/server.ts'
import { openBodyBudget, whenRead } from './body-budget.ts'
import { streamCall } from './event-stream.ts'
import { openApi } from './openapi.ts'

export interface HttpOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  /** Whether a bearer token is the right one. */
  accepts(token: string): boolean
  context(named: NamedPlace): Promise<Context>
  /** Tells the whole of what went wrong, where that is wanted. */
  trace?(thrown: unknown): void
  /** Answers `/mcp`. */
  mcp(request: Request): Promise<Response>
  /** Milliseconds of silence after which a stream shows that it lives. */
  readonly heartbeat?: number
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
export const LARGEST_BODY = 4 * 1024 * 1024
// A hundred of the largest, or many thousand of the usual size.
const ALL_BODIES = 100 * LARGEST_BODY
// Proxies and browsers give up on a connection that is silent for half a minute or more.
const HEARTBEAT = 15_000
const TOO_LARGE = `A body may have ${LARGEST_BODY / 1024 / 1024} MB.`

/**
 * REST and MCP for programs on this machine. A page in a browser cannot use it: Host, Origin and token are all checked.
 */
export function buildHttpApp(options: HttpOptions): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    const refusal = refuse(c.req.raw, options)
    return refusal ?? next()
  })
  app.get('/health', (c) => c.json({ ok: true, version: options.version }))
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
  app.all('/mcp', (c) => withRoom(c.req.raw, () => options.mcp(c.req.raw)))
  for (const operation of options.operations.filter((op) => op.hiddenFrom.http === undefined)) {
    const answer = (c: { readonly req: { readonly raw: Request } }) =>
      withRoom(c.req.raw, () => answerCall(c.req.raw, operation, options))
    app.post(`/v1/${operation.name}`, answer)
    if (BY_GET.has(operation.name)) app.get(`/v1/${operation.name}`, answer)
  }
  app.notFound(() =>
    Response.json(
      {
        error: {
          code: 'not_found',
          message: 'There is nothing at this address.',
          hint: 'GET /openapi.json lists what there is.',
        },
      },
      { status: 404 },
    ),
  )
  return app
}

/** An EventSource can only GET. */
const BY_GET: ReadonlySet<string> = new Set(['chat_follow'])

async function answerCall(request: Request, operation: Operation, options: HttpOptions): Promise<Response> {
  const failed = (thrown: unknown): Response => {
    options.trace?.(thrown)
    return failure(toAppError(thrown))
  }
  try {
    const body = request.method === 'GET' ? inputInUrl(request) : await readBody(request)
    if (body === TOO_LARGE) return denied(413, TOO_LARGE)
    const raw = unwrapped(body, operation)
    const { named, input: given } = isObject(raw)
      ? withProject(fromLastEvent(raw, request, operation), operation, placeNamed(request))
      : { named: placeNamed(request), input: raw }
    const ctx = await options.context(named)
    const { input, told } = asMeant(operation, given, ctx.clock.now().getTime())
    const heard = { ...ctx, notices: () => [...(ctx.notices?.() ?? []), ...told] }
    if (wantsEvents(request))
      return await streamCall(
        request,
        async (through) => (await call({ ...heard, ...through }, operation, input)).output,
        {
          heartbeat: options.heartbeat ?? HEARTBEAT,
          failure: failed,
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

function refuse(request: Request, options: HttpOptions): Response | undefined {
  const host = hostname(`http://${request.headers.get('host') ?? ''}`)
  const origin = request.headers.get('origin')
  if (!LOOPBACK.has(host)) return denied(403, 'The Host header names another machine.')
  if (origin !== null && !LOOPBACK.has(hostname(origin))) return denied(403, 'The Origin header names another site.')
  if (new URL(request.url).pathname === '/health') return undefined
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return token !== undefined && options.accepts(token)
    ? undefined
    : denied(401, 'A bearer token is needed; `ken serve --http` says where it is.')
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

function failure(error: AppError): Response {
  const spelled = (text: string) => forAgents(spellNames(text, FOR_PROGRAMS))
  const told = { code: error.code, message: spelled(error.message), ...(error.hint && { hint: spelled(error.hint) }) }
  return Response.json(visibleDeep({ error: told }), { status: ERROR_TABLE[error.code].http })
}

const denied = (status: 401 | 403 | 413, message: string): Response =>
  Response.json(
    { error: { code: status === 413 ? 'invalid_input' : 'forbidden', message } },
    { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} },
  )

const busy = (): Response =>
  Response.json(
    {
      error: {
        code: 'unavailable',
        message: 'Too many large requests are under way.',
        hint: 'Try again in a moment.',
      },
    },
    { status: 503, headers: { 'retry-after': '1' } },
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function hostname(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}
