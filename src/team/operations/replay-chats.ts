import { z } from 'zod'
import { shortId } from '../../analyst/find-chat.ts'
import { logForReaders } from '../../analyst/log-for-readers.ts'
import { chatFields, chatShape } from '../../analyst/operations/chat-fields.ts'
import type { Oversight } from '../../analyst/ports/oversight.ts'
import { readTranscript, transcript, type ToldMessage } from '../../analyst/transcript.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'

export const replayChats = defineOperation({
  name: 'replay_chats',
  title: 'List the chats of everyone',
  summary: 'List everyone’s chats, newest first, if the project allows it.',
  effect: 'read',
  words: 'analyst',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {
    person: z.string().min(1).max(100).optional().describe('Id of one person.'),
    before: z.iso
      .datetime()
      .max(40)
      .optional()
      .describe('Only older chats than this position (the end of the previous list).'),
    limit: z.number().int().min(1).max(500).default(50),
  },
  output: { chats: z.array(chatShape), more: z.string().optional().describe('Give it as before for the next ones.') },
  examples: [{ title: 'The newest', input: {} }],
  async run(ctx, { person, before, limit }) {
    const oversight = await openReplay(ctx)
    const found = await oversight.chats({
      ...(person !== undefined && { user: person }),
      ...(before !== undefined && { before }),
      limit: limit + 1,
    })
    const shown = found.slice(0, limit)
    return {
      chats: await chatFields(ctx, shown),
      ...(found.length > limit && { more: shown.at(-1)!.updatedAt }),
    }
  },
  render: ({ chats }, _input, view = PLAIN) =>
    chats
      .map(
        ({ id, title, owner, updated_at }) =>
          `${shortId(id)}  ${dated(updated_at, view)}  ${owner?.name ?? 'you'}  ${title}`,
      )
      .join('\n'),
})

export const replayShow = defineOperation({
  name: 'replay_show',
  title: 'Read another person’s chat',
  summary: 'Show another person’s chat, if the project allows it. Audited.',
  details: 'The view of people it is shared with: without memories about its owner and the model’s reasoning.',
  effect: 'read',
  words: 'analyst',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { chat: z.string().trim().min(1).max(100).describe('Its id.') },
  output: {
    chat: chatShape,
    messages: z.array(
      z.object({
        id: z.string(),
        role: z.enum(['user', 'assistant']),
        at: z.string(),
        model: z.string().optional(),
        end: z.looseObject({}).optional(),
        parts: z.array(z.looseObject({ kind: z.string(), number: z.number() })),
      }),
    ),
  },
  examples: [{ title: 'One of the list', input: { chat: '01K0CHAT0000000000000000A1' } }],
  async run(ctx, { chat: id }) {
    const oversight = await openReplay(ctx)
    const chat = await oversight.chat(id.toUpperCase())
    if (chat === undefined)
      throw new AppError('not_found', 'Chat not found.', { hint: 'List all chats to see their ids.' })
    const messages = await readTranscript({ log: logForReaders(oversight.log) }, chat.id)
    return {
      chat: (await chatFields(ctx, [chat]))[0]!,
      messages: messages.map(({ end, parts, ...message }) => ({
        ...message,
        ...(end !== undefined && { end: { ...end } }),
        parts: parts.map((part) => ({ ...part })),
      })),
    }
  },
  isPaged: () => true,
  render: ({ chat, messages }, _input, view = PLAIN) =>
    transcript({ title: chat.title, createdAt: chat.created_at }, messages as unknown as readonly ToldMessage[], view),
})

async function openReplay(ctx: Given<'team'>): Promise<Oversight> {
  const oversight = await ctx.oversight()
  if ((await oversight.replay()).on) return oversight
  throw new AppError('forbidden', 'This project does not allow admins to read others’ chats.', {
    hint: 'An admin can allow it in the settings; everyone sees that it is on.',
  })
}
