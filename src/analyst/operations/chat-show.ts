import { z } from 'zod'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readTranscript, transcript, type ToldMessage } from '../transcript.ts'
import { chatFields, chatShape } from './chat-fields.ts'
import { chatField, readableChat } from './chat-named.ts'

export const chatShow = defineOperation({
  name: 'chat_show',
  title: 'Show a chat',
  summary: 'Show the questions and answers of a chat.',
  details: '--verbose shows every step of the analyst, --json all stored data. Images are named, not shown.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat'],
  input: {
    chat: chatField.default('last'),
    last: z.number().int().min(0).max(100_000).optional().describe('Only the last N messages; 0: none.'),
  },
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
  examples: [{ title: 'The last one', input: {} }],
  async run(ctx, input) {
    const { chat, log } = await readableChat(ctx, input.chat, 'any')
    const [messages, [told]] = await Promise.all([
      readTranscript({ log }, chat.id, input.last),
      chatFields(ctx, [chat]),
    ])
    return {
      chat: told!,
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
