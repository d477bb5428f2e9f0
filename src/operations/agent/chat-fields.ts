import { z } from 'zod'
import { DAYS_UNTIL_SWEPT } from '../../agent/tidy-chats.ts'
import type { Chat } from '../../core/chat/chat.ts'

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
