import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { shortId } from '../find-chat.ts'
import type { Turns } from '../running-turns.ts'
import { DAYS_UNTIL_SWEPT } from '../tidy-chats.ts'
import { chatField, chatNamed } from './chat-named.ts'

export const chatRename = defineOperation({
  name: 'chat_rename',
  title: 'Rename a chat',
  summary: 'Rename a chat.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat', 'title'],
  input: { chat: chatField, title: z.string().trim().min(1).max(200).describe('The new title.') },
  output: { id: z.string(), title: z.string() },
  examples: [{ title: 'The last one', input: { chat: 'last', title: 'Orders of May' } }],
  async run(ctx, input) {
    const { id } = await chatNamed(ctx, input.chat, 'any')
    const title = visibleLine(input.title).trim()
    if (title === '') throw new AppError('invalid_input', 'The title has no visible characters.')
    await (await ctx.analystState()).chats.change(id, { title })
    return { id, title }
  },
  render: ({ id, title }) => `Chat ${shortId(id)} is called "${title}" now.`,
})

export const chatStar = defineOperation({
  name: 'chat_star',
  title: 'Star a chat',
  summary: 'Star a chat, or remove the star.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat'],
  input: { chat: chatField, off: z.boolean().default(false).describe('Remove the star.') },
  output: { id: z.string(), starred: z.boolean() },
  examples: [{ title: 'The last one', input: { chat: 'last' } }],
  async run(ctx, input) {
    const { id } = await chatNamed(ctx, input.chat, 'any')
    await (await ctx.analystState()).chats.change(id, { starred: !input.off })
    return { id, starred: !input.off }
  },
  render: ({ id, starred }) => `Chat ${shortId(id)} has ${starred ? 'a star' : 'no star'} now.`,
})

export const chatDelete = defineOperation({
  name: 'chat_delete',
  title: 'Delete a chat',
  summary: 'Delete a chat; it can be restored for a while.',
  details: `For ${DAYS_UNTIL_SWEPT} days it can be restored; then it is deleted with its queries and votes, and its place in the file is overwritten. --for-good does that immediately. Memories, stories and costs from it stay.`,
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat'],
  input: {
    chat: chatField,
    for_good: z.boolean().default(false).describe('Delete permanently.'),
    yes: z.boolean().default(false).describe('Delete permanently without asking.'),
  },
  output: { id: z.string(), for_good: z.boolean() },
  examples: [{ title: 'The last one', input: { chat: 'last' } }],
  async run(ctx, input) {
    const { id, deletedAt } = await chatNamed(ctx, input.chat, 'any')
    const { chats } = await ctx.analystState()
    if (input.for_good) await eraseChat(ctx, id, input.yes)
    else if (deletedAt === undefined) await chats.change(id, { deletedAt: ctx.clock.now().toISOString() })
    return { id, for_good: input.for_good }
  },
  render: ({ id, for_good }) =>
    for_good
      ? `Chat ${shortId(id)} is gone for good.`
      : `Deleted chat ${shortId(id)}. ${operationNamed('chat_restore', shortId(id))} brings it back within ${DAYS_UNTIL_SWEPT} days.`,
})

async function eraseChat(ctx: Given<'analyst'>, id: string, isSure: boolean): Promise<void> {
  if (!isSure && (await ctx.confirm?.(`Delete chat ${shortId(id)} for good? Nothing brings it back.`)) !== true)
    throw new AppError('stopped', 'Nothing was deleted.', { hint: `Confirm with ${fieldNamed('yes')}.` })
  // Prevents writes to the chat by any process in the meantime.
  const claimed = await (ctx.turns as Turns).begin(id, () => {})
  await (await ctx.analystState()).chats.erase(id).finally(() => claimed.close())
}

export const chatRestore = defineOperation({
  name: 'chat_restore',
  title: 'Bring a chat back',
  summary: 'Restore a deleted chat.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat'],
  input: {
    chat: chatField.default('last').describe('Its id or a prefix of it, or last for the most recently deleted one.'),
  },
  output: { id: z.string() },
  examples: [{ title: 'The last deleted one', input: {} }],
  async run(ctx, input) {
    const { id, deletedAt } = await chatNamed(ctx, input.chat, 'deleted')
    if (deletedAt === undefined)
      throw new AppError('conflict', `Chat ${shortId(id)} is not deleted.`, {
        hint: `List chats with ${operationNamed('chats_list')}.`,
      })
    await (await ctx.analystState()).chats.change(id, { deletedAt: null })
    return { id }
  },
  render: ({ id }) => `Chat ${shortId(id)} is back. ${operationNamed('chat_show', shortId(id))} shows it.`,
})
