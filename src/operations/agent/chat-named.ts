import { z } from 'zod'
import { findChat, shortId } from '../../agent/find-chat.ts'
import type { Chat } from '../../core/chat/chat.ts'
import { AppError } from '../../core/errors.ts'
import { isPerson } from '../../core/journal/event.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { visibleLine } from '../../core/trust/visible.ts'
import type { Context } from '../../ports/context.ts'
import { projectKey } from './project-key.ts'

export const chatField = z.string().trim().min(1).max(100).describe('Its id, the beginning of it, or last.')

/**
 * A chat of the user's by its id, the beginning of it, or `last`: the one of this project that was used last, or was
 * deleted last where a deleted one is meant. At a terminal it may be one of another project.
 */
export async function chatNamed(
  ctx: Context,
  named: string,
  which: 'kept' | 'deleted' | 'any' = 'kept',
): Promise<Chat> {
  const { chats } = await ctx.analystState()
  const project = await projectKey(ctx)
  const found = await findChat(chats, named, { user: ctx.user, project, deleted: which === 'deleted' })
  if (found.project !== project && !isPerson(ctx.origin)) throw notHere(named)
  if (which === 'kept' && found.deletedAt !== undefined)
    throw new AppError('conflict', 'This chat was deleted.', {
      hint: `${operationNamed('chat_restore', shortId(found.id))} brings it back.`,
    })
  return found
}

/** One that is about this project: where its folder, its tables and its rules are. */
export async function chatHere(ctx: Context, named: string): Promise<Chat> {
  const found = await chatNamed(ctx, named)
  if (found.project === (await projectKey(ctx))) return found
  throw notHere(named, `It belongs to ${found.folder}; ask there.`)
}

const notHere = (named: string, hint = `${operationNamed('chats_list')} lists those that are.`): AppError =>
  new AppError('not_found', `There is no chat ${visibleLine(named)} here.`, { hint })
