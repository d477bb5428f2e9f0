import { z } from 'zod'
import type { Context } from '../../operations/context.ts'
import type { Chat } from '../domain/chat/chat.ts'
import { DAYS_UNTIL_SWEPT } from '../tidy-chats.ts'
import { ownerNames, ownerShape } from './owner-names.ts'

export const chatShape = z.object({
  id: z.string(),
  title: z.string(),
  starred: z.boolean(),
  project: z.string(),
  folder: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional().describe(`It can be brought back for ${DAYS_UNTIL_SWEPT} days.`),
  from: z
    .object({ id: z.string(), owner: ownerShape.optional() })
    .optional()
    .describe('The chat it continues, with its owner if that is another person.'),
  shared: z.enum(['project', 'named']).optional().describe('Other readers, on a team server.'),
  owner: ownerShape.optional().describe('The owner, if another person shares it with you.'),
})

/** Chats as shown to a user. */
export async function chatFields(
  ctx: Pick<Context, 'team' | 'user'>,
  chats: readonly Chat[],
): Promise<z.output<typeof chatShape>[]> {
  const named = await ownerNames(
    ctx,
    chats.flatMap(({ user, origin }) => [user, origin?.user]).filter((id) => id !== ctx.user),
  )
  const owner = (id: string) => (id === ctx.user ? {} : { owner: named(id) })
  return chats.map((chat) => ({
    id: chat.id,
    title: chat.title,
    // Only the owner sees a star.
    starred: chat.starred && chat.user === ctx.user,
    project: chat.project,
    folder: chat.folder,
    created_at: chat.createdAt,
    updated_at: chat.updatedAt,
    ...(chat.deletedAt !== undefined && { deleted_at: chat.deletedAt }),
    ...(chat.origin !== undefined && { from: { id: chat.origin.chat, ...owner(chat.origin.user) } }),
    ...(chat.visibility !== undefined && { shared: chat.visibility }),
    ...owner(chat.user),
  }))
}
