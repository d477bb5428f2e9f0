import type { Hono } from 'hono'
import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../kernel/domain/errors.ts'
import { checkProjectName, isUlid } from '../../../kernel/domain/project/config.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { StopSignal } from '../../../kernel/domain/stop.ts'
import { applyDelta, deltaOf } from '../../../kernel/domain/text/text-delta.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { assertMay, type Caller, type Standing } from '../../../team/domain/may.ts'
import {
  MOST_BYTES,
  newProject,
  pageAsk,
  pushAsk,
  textsAsk,
  WIRE,
  WIRE_HEADER,
} from '../../../team/domain/record-wire.ts'
import { TEAM_ACTIONS } from '../../../team/domain/team-actions.ts'
import type { TeamPush, TeamRecord } from '../../../team/ports/team-record.ts'
import { openUnpackedRoom, packedJson, withPackedBody, type UnpackedRoom } from './packed-body.ts'
import { routeFailure } from './route-failure.ts'

/** A server's records, for its users' machines. */
export interface RecordRoutes {
  standing(person: string, project: string): Promise<Standing | undefined>
  nameFor(person: string, project: string): Promise<string>
  create(project: { readonly id: string; readonly name: string }, caller: Caller): Promise<void>
  /** The record with this person's write permissions. */
  record(project: string, person: string): TeamRecord
  /** Past texts of files, by path and hash; unknown ones are left out. */
  earlier(project: string, wanted: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>
  tip(project: string): Promise<string | null>
  changed(project: string, patience: number, signal: StopSignal): Promise<void>
  /** Audits that a machine changed a record, or was refused. */
  told?(
    asked: { readonly request: Request; readonly caller: Caller; readonly project: string },
    deed: RecordDeed,
  ): Promise<void>
}

export interface RecordDeed {
  readonly operation: 'link_record' | 'push_record' | 'pull_record'
  readonly outcome: 'ok' | ErrorCode
}

const ROUTE = '/v1/team/records/:project'
// Proxies close a connection that is silent for half a minute or more.
const NEWS_MS = 20_000
const LARGEST_QUESTION = 1024 * 1024
const ALL_UNPACKED = 4 * MOST_BYTES

/** The endpoint of `ken sync team`. */
export function addRecords<V extends { caller: Caller }>(
  app: Hono<{ Variables: V }>,
  doors: RecordRoutes,
  trace?: (thrown: unknown) => void,
): void {
  const room = openUnpackedRoom(ALL_UNPACKED)
  const route = (method: 'GET' | 'POST' | 'PUT', path: string, answer: Answer): void => {
    const operation = method === 'PUT' ? 'link_record' : path === '/push' ? 'push_record' : 'pull_record'
    app.on(method, `${ROUTE}${path}`, async (c) => {
      const asked = { request: c.req.raw, caller: c.get('caller'), project: c.req.param('project') ?? '', doors, room }
      try {
        refuseOtherWire(asked.request)
        const answered = await answer(asked)
        // A machine polls all the time: its reads are not audited, like a refresh of the app.
        if (operation !== 'pull_record') await doors.told?.(asked, { operation, outcome: 'ok' })
        return await packedJson(asked.request, answered)
      } catch (thrown) {
        trace?.(thrown)
        const error = toAppError(thrown)
        await doors.told?.(asked, { operation, outcome: error.code })
        return routeFailure(error)
      }
    })
  }
  route('GET', '', standing)
  route('PUT', '', create)
  route('GET', '/manifest', async (asked) => (await readable(asked)).manifest(page(asked.request)))
  route('GET', '/lines', async (asked) => (await readable(asked)).lines(page(asked.request)))
  route('POST', '/texts', texts)
  route('POST', '/push', push)
  route('GET', '/news', news)
}

interface Asked {
  readonly request: Request
  readonly caller: Caller
  readonly project: string
  readonly doors: RecordRoutes
  readonly room: UnpackedRoom
}

type Answer = (asked: Asked) => Promise<unknown>

async function allowed({ doors, caller, project }: Asked, action: 'pull_record' | 'push_record'): Promise<Standing> {
  const found = isUlid(project) ? await doors.standing(caller.person, project) : undefined
  assertMay(caller, { permission: TEAM_ACTIONS[action], standing: found, input: {} })
  return found!
}

async function readable(asked: Asked): Promise<TeamRecord> {
  await allowed(asked, 'pull_record')
  return asked.doors.record(asked.project, asked.caller.person)
}

const standing: Answer = async (asked) => {
  const { role } = await allowed(asked, 'pull_record')
  const { doors, project, caller } = asked
  const name = await doors.nameFor(caller.person, project)
  return { id: project, name, role, person: caller.person, revision: await doors.tip(project) }
}

/** Succeeds again for the same person: the first response may have been lost. */
const create: Answer = async ({ request, caller, project, doors, room }) => {
  assertMay(caller, { permission: TEAM_ACTIONS.link_record, standing: undefined, input: {} })
  if (caller.projects !== undefined) throw new AppError('forbidden', 'This token is limited to other projects.')
  if (!isUlid(project)) throw new AppError('invalid_input', 'A project id must be a ULID.')
  return withPackedBody(request, { largest: LARGEST_QUESTION, room }, async (body) => {
    const name = checkProjectName(read(newProject, body).name)
    try {
      await doors.create({ id: project, name }, caller)
    } catch (thrown) {
      const known = toAppError(thrown).code === 'conflict' ? await doors.standing(caller.person, project) : undefined
      if (known?.role === undefined) throw thrown
    }
    return { id: project }
  })
}

const texts: Answer = async (asked) => {
  const record = await readable(asked)
  const { request, project, doors, room } = asked
  return withPackedBody(request, { largest: LARGEST_QUESTION, room }, async (body) => {
    const { wanted } = read(textsAsk, body)
    const haves = wanted.flatMap(({ path, have }) => (have === undefined ? [] : [[path, have] as const]))
    const [found, earlier] = await Promise.all([
      record.texts(new Map(wanted.map(({ path, sha256: hash }) => [path, hash]))),
      haves.length === 0 ? new Map<string, string>() : doors.earlier(project, new Map(haves)),
    ])
    return {
      texts: wanted.flatMap(({ path, have }): object[] => {
        const [text, before] = [found.get(path), earlier.get(path)]
        const delta = text === undefined || before === undefined ? undefined : deltaOf(before, text)
        if (delta !== undefined) return [{ path, have, delta }]
        return text === undefined ? [] : [{ path, text }]
      }),
    }
  })
}

const push: Answer = async (asked) => {
  await allowed(asked, 'push_record')
  const { request, caller, project, doors, room } = asked
  return withPackedBody(request, { largest: MOST_BYTES, room }, async (body) => {
    const whole = await wholePush(read(pushAsk, body), (wanted) => doors.earlier(project, wanted))
    return whole === undefined ? { status: 'whole' } : doors.record(project, caller.person).push(whole)
  })
}

/** A push with full texts; undefined if the base text of a delta is missing. */
async function wholePush(
  { files, ...rest }: z.output<typeof pushAsk>,
  earlier: (wanted: ReadonlyMap<string, string>) => Promise<ReadonlyMap<string, string>>,
): Promise<TeamPush | undefined> {
  const wanted = new Map(
    files.flatMap(({ path, before, delta }) => (delta === undefined || before === null ? [] : [[path, before]])),
  )
  const known = wanted.size === 0 ? new Map<string, string>() : await earlier(wanted)
  const made: TeamPush['files'][number][] = []
  for (const { path, before, text, delta } of files) {
    const old = known.get(path)
    const changed =
      delta === undefined || old === undefined || sha256(old) !== before ? undefined : applyDelta(old, delta)
    if (delta !== undefined && changed === undefined) return undefined
    made.push({ path, before, text: changed ?? text })
  }
  return { ...rest, files: made }
}

const news: Answer = async (asked) => {
  await allowed(asked, 'pull_record')
  const { request, project, doors } = asked
  const known = new URL(request.url).searchParams.get('known') ?? null
  const changed = doors.changed(project, NEWS_MS, request.signal)
  const now = await doors.tip(project)
  if (now !== known) return { revision: now }
  await changed
  return { revision: await doors.tip(project) }
}

const page = (request: Request): z.output<typeof pageAsk> =>
  read(pageAsk, Object.fromEntries(new URL(request.url).searchParams))

function read<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('invalid_input', `${issue?.path.join('.') || 'The request'}: ${issue?.message ?? 'not valid'}.`)
}

function refuseOtherWire({ headers }: Request): void {
  if (headers.get(WIRE_HEADER) === WIRE) return
  throw new AppError('unavailable', `This server uses protocol version ${WIRE}.`, {
    hint: 'Update Ken.',
    details: { status: 426 },
  })
}
