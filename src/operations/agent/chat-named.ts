import { z } from 'zod'
import type { Chat } from '../../core/chat/chat.ts'
import { AppError } from '../../core/errors.ts'
import { operationNamed } from '../../core/named-operation.ts'
import type { Context } from '../../ports/context.ts'
import { projectKey } from './project-key.ts'

export const chatField = z.string().min(1).max(100).describe('Its id, or `last`.')

/** A chat of the user by its id, or `last`: the one of this project that was used last. */
export async function chatNamed(ctx: Context, named: string): Promise<Chat> {
  const { chats } = await ctx.analystState()
  const found =
    named === 'last'
      ? (await chats.list({ user: ctx.user, project: await projectKey(ctx), limit: 1 }))[0]
      : await chats.find(named, ctx.user)
  // Somebody else's is no different from one that there is not.
  if (found === undefined || found.deletedAt !== undefined)
    throw new AppError('not_found', named === 'last' ? 'There is no chat here yet.' : `There is no chat "${named}".`, {
      hint: `Start one with ${operationNamed('ask')}.`,
    })
  return found
}
