import { AppError } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { call } from '../../operations/call.ts'
import type { Given, Offered } from '../../operations/context.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import type { ChannelPlace } from '../../team/domain/channel/channel-post.ts'
import type { Caller } from '../../team/domain/may.ts'
import type { ChannelAsks } from '../../team/ports/channel-asks.ts'
import type { ChatChannel } from '../../team/ports/chat-channel.ts'

/** Everything a replica needs to answer channels. */
export interface ChannelDesk {
  readonly clock: Clock
  readonly publicUrl: string
  readonly asks: ChannelAsks
  readonly operations: readonly RegisteredOperation[]
  /** Undefined if a project has no channel. */
  channelOf(project: string): ChatChannel | undefined
  /** The caller behind a channel user's e-mail address, if they may ask in the project. */
  callerOf(project: string, email: string): Promise<Caller | undefined>
  contextOf(caller: Caller, project: string): Given<'analyst'>
}

export function channelNamed({ channelOf }: Pick<ChannelDesk, 'channelOf'>, project: string): ChatChannel {
  const channel = channelOf(project)
  if (channel === undefined)
    throw new AppError('unavailable', 'No channel is set up for this project.', {
      hint: 'All replicas need the same KEN_SLACK_ and KEN_TEAMS_ variables.',
    })
  return channel
}

/** The person who asks or presses a button, with their permissions; undefined if they may not ask. */
export async function contextOfUser(
  desk: ChannelDesk,
  project: string,
  { user, place }: { readonly user: string; readonly place: ChannelPlace },
): Promise<{ readonly ctx: Given<'analyst'>; readonly person: string } | undefined> {
  const known = await channelNamed(desk, project).user(user, place)
  const caller = known && (await desk.callerOf(project, known.email))
  return caller && { ctx: desk.contextOf(caller, project), person: caller.person }
}

/** Runs an operation as every surface does. */
export async function run(
  { operations }: Pick<ChannelDesk, 'operations'>,
  ctx: Offered,
  name: string,
  input: object,
): Promise<Readonly<Record<string, any>>> {
  const operation = operations.find((one) => one.name === name)!
  return (await call(ctx, operation, input)).output
}

/** The result, or undefined if it is not found; used for optional parts of an answer. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((thrown: unknown) => {
    if (toAppError(thrown).code === 'unavailable') throw thrown
    return undefined
  })
}

/** One line for everyone whom Ken does not answer: reveals nothing about the project. */
export const NOT_LET_IN = 'Ken does not answer you here. Whoever looks after it can let in the address of your account.'
