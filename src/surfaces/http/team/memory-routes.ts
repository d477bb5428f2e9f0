import type { Hono } from 'hono'
import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { findHidden, plainText } from '../../../kernel/domain/trust/visible.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import { indexShared } from '../../../memory/index-shared.ts'
import type { SharedDocuments } from '../../../memory/ports/shared-documents.ts'
import { assertMay, type Caller, type Standing } from '../../../team/domain/may.ts'
import type { Permission } from '../../../team/domain/permission.ts'
import { sharedPath } from '../../../team/domain/shared-path.ts'
import { TEAM_ACTIONS } from '../../../team/domain/team-actions.ts'
import { openUnpackedRoom, withPackedBody } from './packed-body.ts'
import { routeFailure } from './route-failure.ts'

export interface MemoryRoutesOptions {
  readonly clock: Clock
  shared(project: string, person: string): SharedDocuments
  /** A person's display name. */
  authorOf(person: string): Promise<string>
  /** Requests the missing vectors of a project. */
  lacksVectors(project: string): Promise<void>
  standing(person: string, project: string): Promise<Standing | undefined>
  /** Audits that a person shared something with a project, withdrew it, or was refused. */
  told?(
    asked: { readonly request: Request; readonly caller: Caller; readonly project: string },
    deed: MemoryDeed,
  ): Promise<void>
  trace?(thrown: unknown): void
}

export interface MemoryDeed {
  readonly operation: 'share_memory' | 'unshare_memory'
  readonly outcome: 'ok' | ErrorCode
}

/** Operations that begin, end or change a share; the pages of an upload are one operation. */
const TOLD: Readonly<Record<string, MemoryDeed['operation']>> = {
  open: 'share_memory',
  finish: 'share_memory',
  remove: 'unshare_memory',
  withdraw: 'unshare_memory',
}

const LARGEST = 16 * 1024 * 1024
const ALL_UNPACKED = 8 * LARGEST

/** Sharing and withdrawing a person's sessions and notes. Not available to agents. */
export function addMemoryRoutes<V extends { caller: Caller }>(
  app: Hono<{ Variables: V }>,
  options: MemoryRoutesOptions,
): void {
  const room = openUnpackedRoom(ALL_UNPACKED)
  for (const [action, { permission, input, run }] of Object.entries(ACTIONS) as [string, Action<{ project: string }>][])
    app.post(`/memory/${action}`, async (c) => {
      const caller = c.get('caller')
      try {
        return await withPackedBody(c.req.raw, { largest: LARGEST, room }, async (body) => {
          const read = input.safeParse(body)
          if (!read.success) throw new AppError('invalid_input', 'The body is not valid for this address.')
          const { project } = read.data
          assertMay(caller, { permission, standing: await options.standing(caller.person, project), input: {} })
          const shared = options.shared(project, caller.person)
          const done = await run({ ...options, caller, shared }, read.data)
          const operation = TOLD[action]
          if (operation) await options.told?.({ request: c.req.raw, caller, project }, { operation, outcome: 'ok' })
          return Response.json(done)
        })
      } catch (thrown) {
        options.trace?.(thrown)
        return routeFailure(toAppError(thrown))
      }
    })
}

interface Place extends Omit<MemoryRoutesOptions, 'shared'> {
  readonly caller: Caller
  readonly shared: SharedDocuments
}

interface Action<I> {
  readonly permission: Permission
  readonly input: z.ZodType<I>
  run(place: Place, input: I): Promise<object>
}

const action = <I>(permission: Permission, input: z.ZodType<I>, run: Action<I>['run']): Action<I> => ({
  permission,
  input,
  run,
})

const id = z.string().min(1).max(64)
// One path segment, without traversal.
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/)
const sent = z.strictObject({
  name,
  origin: z.enum(['session', 'note']),
  tags: z.array(z.string().min(1).max(64)).max(20),
  modified: z.number().int().min(0).max(8.64e15),
  text: z.string().min(1).max(2_000_000),
})

const { share_memory: give, list_shared: see } = TEAM_ACTIONS

const ACTIONS = {
  open: action(
    give,
    z.strictObject({ project: id, workspace: id, name: z.string().min(1).max(100) }),
    async ({ shared, clock, authorOf, caller }, { workspace, name: called }) =>
      shared.openShare({
        id: clock.ulid(),
        author: await authorOf(caller.person),
        workspace,
        name: plainText(called),
        openedAt: clock.now().toISOString(),
      }),
  ),
  held: action(
    give,
    z.strictObject({
      project: id,
      share: id,
      after: z.union([name, z.literal('')]),
      limit: z.number().int().min(1).max(2_000),
    }),
    async ({ shared }, { share, after, limit }) => {
      const texts = await shared.held(share, { after: sharedPath(share, after), limit })
      return { texts: texts.map(({ path, hash }) => ({ name: path.slice(sharedPath(share, '').length), hash })) }
    },
  ),
  send: action(
    give,
    z.strictObject({ project: id, share: id, texts: z.array(sent).min(1).max(100) }),
    async ({ shared, caller, authorOf }, { project, share, texts }) => {
      const author = await authorOf(caller.person)
      const given = texts.map(({ name: own, ...text }) => ({ ...text, path: sharedPath(share, own), share, author }))
      const hidden = texts.find(({ tags }) => findHidden(tags.join(' ')) !== undefined)
      if (hidden !== undefined) throw new AppError('invalid_input', 'A tag contains invisible characters.')
      const { chunks } = await indexShared({ project: { id: project, name: '' }, shared }, given)
      return { chunks }
    },
  ),
  remove: action(
    give,
    z.strictObject({ project: id, share: id, names: z.array(name).min(1).max(1_000) }),
    ({ shared }, { share, names }) =>
      shared.withdraw(
        share,
        names.map((one) => sharedPath(share, one)),
      ),
  ),
  finish: action(
    give,
    z.strictObject({ project: id, share: id }),
    async ({ shared, clock, lacksVectors }, { project, share }) => {
      await shared.finishUpload(share, clock.now().toISOString())
      await lacksVectors(project)
      return {}
    },
  ),
  withdraw: action(give, z.strictObject({ project: id, share: id }), ({ shared }, { share }) => shared.withdraw(share)),
  list: action(see, z.strictObject({ project: id }), async ({ shared, caller }) => ({
    shares: (await shared.shares()).map((share) => ({ ...share, own: share.person === caller.person })),
  })),
}
