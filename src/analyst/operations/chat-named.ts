import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { isUlid } from '../../kernel/domain/project/config.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import type { Chat } from '../domain/chat/chat.ts'
import { findChat, shortId } from '../find-chat.ts'
import { logForReaders, type ReadLog } from '../log-for-readers.ts'
import type { Shares } from '../ports/shares.ts'
import { projectKey } from './project-key.ts'

export const chatField = z.string().trim().min(1).max(100).describe('Its id or a prefix of it, or last.')

/**
 * Finds a chat of the user by its id, a prefix of it, or `last`: the last used one of this project, or the last deleted
 * one if a deleted chat is requested. At a terminal it may belong to another project.
 */
export async function chatNamed(
  ctx: Given<'analyst'>,
  named: string,
  which: 'kept' | 'deleted' | 'any' = 'kept',
): Promise<Chat> {
  const { shares } = await ctx.analystState()
  try {
    return await ownChat(ctx, named, which)
  } catch (thrown) {
    if (!isMissing(thrown) || (await sharedChat(shares, named)) === undefined) throw thrown
    throw new AppError('forbidden', 'This chat is shared with you read-only.', {
      hint: `Continue it in a chat of your own with ${operationNamed('chat_branch')}.`,
    })
  }
}

async function ownChat(ctx: Given<'analyst'>, named: string, which: 'kept' | 'deleted' | 'any'): Promise<Chat> {
  const { chats } = await ctx.analystState()
  const project = await projectKey(ctx)
  const found = await findChat(chats, named, { user: ctx.user, project, deleted: which === 'deleted' })
  if (found.project !== project && !isPerson(ctx.origin)) throw notHere(named)
  if (which === 'kept' && found.deletedAt !== undefined)
    throw new AppError('conflict', 'This chat was deleted.', {
      hint: `Restore it with ${operationNamed('chat_restore', shortId(found.id))}.`,
    })
  return found
}

/** A chat to be read, and its log, which is reduced for readers other than the owner. */
export interface ReadableChat {
  readonly chat: Chat
  readonly log: ReadLog
  readonly isOwn: boolean
}

/** A chat of the user, as found by `chatNamed`, or one shared with them. */
export async function readableChat(
  ctx: Given<'analyst'>,
  named: string,
  which: 'kept' | 'any' = 'kept',
): Promise<ReadableChat> {
  const { log, shares } = await ctx.analystState()
  try {
    return { chat: await ownChat(ctx, named, which), log, isOwn: true }
  } catch (thrown) {
    const shared = isMissing(thrown) ? await sharedChat(shares, named) : undefined
    if (shared === undefined) throw thrown
    return { chat: shared, log: logForReaders(log), isOwn: false }
  }
}

const isMissing = (thrown: unknown): boolean => thrown instanceof AppError && thrown.code === 'not_found'

/** Finds a shared chat by its full id, so that a prefix always means the user's own chat. */
const sharedChat = async (shares: Shares | undefined, named: string): Promise<Chat | undefined> =>
  isUlid(named.trim().toUpperCase()) ? shares?.chat(named.trim().toUpperCase()) : undefined

/** A chat about this project, with its folder, tables and rules. */
export async function chatHere(ctx: Given<'analyst'>, named: string): Promise<Chat> {
  const found = await chatNamed(ctx, named)
  if (found.project === (await projectKey(ctx))) return found
  throw notHere(named, `It belongs to ${found.folder}; ask there.`)
}

/** Finds a chat as `chatHere` does, for reading. */
export async function readableHere(ctx: Given<'analyst'>, named: string): Promise<ReadableChat> {
  const found = await readableChat(ctx, named)
  if (found.chat.project === (await projectKey(ctx))) return found
  throw notHere(named, `It belongs to ${found.chat.folder}; ask there.`)
}

const notHere = (named: string, hint = `${operationNamed('chats_list')} lists those that are.`): AppError =>
  new AppError('not_found', `No chat ${visibleLine(named)} in this project.`, { hint })
