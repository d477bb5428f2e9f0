import { z } from 'zod'
import { findChat } from '../../agent/find-chat.ts'
import { DAYS_UNTIL_SWEPT } from '../../agent/tidy-chats.ts'
import type { Chat } from '../../core/chat/chat.ts'
import type { Context } from '../../ports/context.ts'
import { projectKey } from './project-key.ts'

/** For operations on one chat. */
export const chatField = {
  chat: z.string().trim().min(1).max(100).describe('Its id, the beginning of it, or last.'),
}

export const chatShape = z.object({
  id: z.string(),
  title: z.string(),
  starred: z.boolean(),
  project: z.string(),
  folder: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional().describe(`It can be brought back for ${DAYS_UNTIL_SWEPT} days.`),
})

export const chatFields = (chat: Chat): z.output<typeof chatShape> => ({
  id: chat.id,
  title: chat.title,
  starred: chat.starred,
  project: chat.project,
  folder: chat.folder,
  created_at: chat.createdAt,
  updated_at: chat.updatedAt,
  ...(chat.deletedAt !== undefined && { deleted_at: chat.deletedAt }),
})

/** The chat that the caller means. */
export async function chatMeant(ctx: Context, name: string, deleted = false): Promise<Chat> {
  const { chats } = await ctx.analystState()
  return findChat(chats, name, { user: ctx.user, project: await projectKey(ctx), deleted })
}
