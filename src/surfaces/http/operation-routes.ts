import { readRequestBody } from '@modelcontextprotocol/server'
import type { Hono } from 'hono'
import { withoutPerson } from '../../analyst/operations/without-person.ts'
import { AppError, ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { spellNames } from '../../kernel/domain/named-operation.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import type { Browsers } from '../../kernel/ports/browsers.ts'
import type { PageChange } from '../../kernel/ports/page-changes.ts'
import { call } from '../../operations/call.ts'
import { coerceInput, unwrapped } from '../../operations/coerce-input.ts'
import type { Context, Offered } from '../../operations/context.ts'
import type { Operation } from '../../operations/operation.ts'
import { changesToConfirm, isGranted, withoutPower } from '../../operations/page-power.ts'
import { forAgents, FOR_PROGRAMS, forTerminal } from '../../operations/spelling.ts'
import { AppliedAlready } from '../../record/domain/applied-already.ts'
import { withProject, type NamedPlace } from '../mcp/server.ts'
import { openBodyBudget, whenRead } from './body-budget.ts'
import { streamCall, type StreamedCall, type StreamOptions } from './event-stream.ts'
import { keyOf, keyTaken, replayed } from './idempotency-key.ts'
import type { KeptCalls } from './kept-calls.ts'
import { openApi } from './openapi.ts'
import { confirmNeeded, type CallOwner, type PageConfirmations } from './page-confirmations.ts'
import { busy, denied, nothingHere } from './refusals.ts'

/** The authenticated caller. */
export interface Asker {
  /** `http`: a program with a token; `app`: a page with the session of the person who opened it. */
  readonly surface: 'http' | 'app'
  /** `key`: repeating a call with the same key changes the record only once, if keys are accepted. */
  context(named: NamedPlace, key?: string): Promise<Offered>
  /** Additional data of a page. */
  readonly page?: {
    readonly calls: KeptCalls
    readonly browsers: Browsers
    readonly confirmations: PageConfirmations
    /** Identifies the page's session, but grants no access. */
    readonly session: string
    /** Whether the user opened the app in this folder. */
    isOpened(folder: string): boolean
    /** Ends the streams of a page when its session ends. */
    readonly end: StreamOptions['end']
  }
}

export interface RouteOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  /** Whether repeating a call with the same Idempotency-Key changes a record only once. */
  readonly takesKeys?: boolean
  /** Handles `/mcp`. */
  mcp?(request: Request, asker: Asker): Promise<Response>
  /** Logs the full error, if requested. */
  trace?(thrown: unknown): void
  /** Milliseconds of silence after which a stream sends a heartbeat. */
  readonly heartbeat?: number
}

export const LARGEST_BODY = 4 * 1024 * 1024
// A hundred bodies of maximum size, or many thousand of typical size.
const ALL_BODIES = 100 * LARGEST_BODY
// Proxies and browsers close a connection that is idle for half a minute or more.
const HEARTBEAT = 15_000
const TOO_LARGE = `A body may have ${LARGEST_BODY / 1024 / 1024} MB.`

/** `/v1/<operation>`, `/mcp` and `/openapi.json`, for authenticated callers. */
export function addOperations<V extends { asker: Asker }>(app: Hono<{ Variables: V }>, options: RouteOptions): void {
  app.get('/openapi.json', (c) => c.json(openApi(options.operations, options)))
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
  let person = ''
  const failed = (thrown: unknown): Response => {
    const isApplied = thrown instanceof AppliedAlready
    if (isApplied && thrown.event.origin?.user === person) return replayed(thrown)
    options.trace?.(thrown)
    return failure(
      isApplied ? keyTaken() : toAppError(thrown),
      asker.surface === 'app' ? forPages(operation) : forPrograms,
    )
  }
  try {
    const body = request.method === 'GET' ? inputInUrl(request) : await readBody(request)
    if (body === TOO_LARGE) return denied(413, TOO_LARGE)
    const raw = unwrapped(body, operation)
    const { named, input: given } = isObject(raw)
      ? withProject(fromLastEvent(raw, request, operation), operation, placeNamed(request))
      : { named: placeNamed(request), input: raw }
    const owner = page && { session: page.session, operation: operation.name, place: JSON.stringify(named) }
    const code = codeOf(request)
    if (page && owner && code) {
      const run = await page.confirmations.take(code, owner)
      return await answerRun(request, { operation, page, run, failed }, options)
    }
    const ctx = await asker.context(named, keyOf(request, operation, options))
    person = ctx.user
    const { input, told } = coerceInput(operation, given, ctx.clock.now().getTime())
    const heard = {
      ...ctx,
      ...(page && { browsers: async () => page.browsers }),
      notices: () => [...(ctx.notices?.() ?? []), ...told],
    }
    const runIn =
      (place: Offered): Run =>
      async (through) =>
        (await call({ ...place, ...ifUnheard(operation, input, ctx), ...through }, operation, input)).output
    const gated =
      page && owner
        ? {
            ...heard,
            // Pages of `ken app` are served only by the user's machine.
            permit: gate({
              page,
              operation,
              owner,
              ctx: heard as Context,
              directory: named.directory,
              run: runIn(heard),
            }),
          }
        : heard
    return await answerRun(request, { operation, page, run: runIn(gated), failed }, options)
  } catch (thrown) {
    return failed(thrown)
  }
}

interface Answering {
  readonly operation: Operation
  readonly page: Asker['page']
  readonly run: Run
  failed(thrown: unknown): Response
}

async function answerRun(
  request: Request,
  { operation, page, run, failed }: Answering,
  options: RouteOptions,
): Promise<Response> {
  if (wantsEvents(request))
    return streamCall(request, keptBy(request, operation, page?.calls, run), {
      heartbeat: options.heartbeat ?? HEARTBEAT,
      failure: failed,
      end: page?.end,
    })
  return Response.json(await run({ signal: request.signal }))
}

interface Gated {
  readonly page: NonNullable<Asker['page']>
  readonly operation: Operation
  readonly owner: CallOwner
  readonly ctx: Context
  /** The folder named in the request. */
  readonly directory: string | undefined
  readonly run: Run
}

/**
 * Runs calls that need no confirmation, without any further permission; holds the others until their code is typed.
 * Nested calls of an operation are not held: they have no caller that could confirm them.
 */
function gate({ page, operation, owner, ctx, directory, run }: Gated): NonNullable<Context['permit']> {
  return async (called, input) => {
    if (called.name !== operation.name) return {}
    const look = async (): Promise<readonly PageChange[]> => [
      ...(await changesToConfirm(ctx, operation, input)),
      ...(await unopenedFolder(ctx, operation, page, directory)),
    ]
    const changes = await look()
    if (changes.length === 0) return operation.effect === 'read' ? {} : withoutPower(ctx)
    throw confirmNeeded(page.confirmations.keep({ owner, title: operation.title, folder: ctx.cwd, changes, look, run }))
  }
}

/**
 * A page may name any folder on the machine. It writes only in folders where the user opened the app or has a project.
 */
async function unopenedFolder(
  ctx: Context,
  { effect }: Operation,
  page: NonNullable<Asker['page']>,
  directory: string | undefined,
): Promise<readonly PageChange[]> {
  if (effect === 'read' || directory === undefined) return []
  return page.isOpened(directory) || (await isGranted(ctx, directory)) ? [] : [{ what: 'folder', after: directory }]
}

/** The id and the code of a pending call, as sent back by a page. */
function codeOf({ headers }: Request): { readonly id: string; readonly code: string } | undefined {
  const [id, code] = (headers.get('x-ken-confirm') ?? '').split(' ')
  return id === undefined || id === '' ? undefined : { id, code: code ?? '' }
}

/** A caller that waits for the whole answer cannot approve a call; a detached turn has other listeners. */
const ifUnheard = (operation: Operation, input: unknown, ctx: Offered): Pick<Context, 'hear'> =>
  operation.turn === 'begins' && !(isObject(input) && input['detach'] === true) ? { hear: withoutPerson(ctx) } : {}

const wantsEvents = ({ headers }: Request): boolean => /\btext\/event-stream\b/i.test(headers.get('accept') ?? '')

/** The fields of a call, without those that identify its project. */
function inputInUrl(request: Request): Record<string, unknown> {
  const { project: _project, directory: _directory, ...input } = Object.fromEntries(new URL(request.url).searchParams)
  return input
}

/** A reconnecting browser sends the last event it received in a header. */
function fromLastEvent(
  input: Record<string, unknown>,
  { headers }: Request,
  operation: Operation,
): Record<string, unknown> {
  const last = headers.get('last-event-id')
  return last === null || last === '' || !('after' in operation.input.shape) ? input : { ...input, after: last }
}

type Run = (through: Partial<StreamedCall>) => Promise<Readonly<Record<string, unknown>>>

/** A named call continues without its caller, and can be resumed by the name. */
function keptBy(
  request: Request,
  operation: Operation,
  calls: KeptCalls | undefined,
  run: Run,
): (through: StreamedCall) => ReturnType<Run> {
  const name = keptName(request, operation)
  if (name === undefined || calls === undefined) return run
  if (request.headers.get('x-ken-attach') === null) return (through) => calls.join(name, through, run)
  return async (through) => {
    const found = calls.follow(name, through)
    if (found !== undefined) return found
    throw new AppError('not_found', 'No sign-in with this name is in progress.', { hint: 'Start again.' })
  }
}

function keptName(request: Request, { name }: Operation): string | undefined {
  const id = request.headers.get('x-ken-call')
  return id === null || id === '' || id.length > 200 ? undefined : JSON.stringify([name, placeNamed(request), id])
}

/** The project named in a request outside its body; the URL takes precedence over the headers. */
export function placeNamed(request: Request): NamedPlace {
  const query = new URL(request.url).searchParams
  for (const said of [(name: string) => query.get(name), (name: string) => request.headers.get(`x-ken-${name}`)]) {
    const [project, directory] = [said('project'), said('directory')].map((text) => text?.trim() || undefined)
    if (project !== undefined || directory !== undefined)
      return { ...(project !== undefined && { project }), ...(directory !== undefined && { directory }) }
  }
  return {}
}

/** Stops as soon as more than the limit has arrived, whatever length was declared. */
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
/** Spells operations that a page cannot run as terminal commands. */
const forPages =
  (operation: Operation): Spelled =>
  (text) =>
    spellNames(text, forTerminal(operation))

function failure(error: AppError, spelled: Spelled): Response {
  const told = {
    code: error.code,
    message: spelled(error.message),
    ...(error.hint && { hint: spelled(error.hint) }),
    ...(error.code === 'confirm_needed' && error.details),
  }
  return Response.json(visibleDeep({ error: told }), { status: ERROR_TABLE[error.code].http })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
