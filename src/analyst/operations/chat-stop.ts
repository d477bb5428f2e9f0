import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { chatField, chatNamed } from './chat-named.ts'

export const chatStop = defineOperation({
  name: 'chat_stop',
  title: 'Stop an answer',
  summary: 'Stop the running answer of a chat and its queries.',
  details:
    'What was written so far is kept, and the chat can go on. It reaches the answers of the process that it is called in: those of a server over HTTP; at a terminal Ctrl-C does it. On a team server it reaches those of every replica.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['chat'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { chat: chatField },
  output: { chat: z.string(), stopped: z.boolean().describe('False where nothing was being written here.') },
  examples: [{ title: 'The last chat', input: { chat: 'last' } }],
  async run(ctx, input) {
    const { id } = await chatNamed(ctx, input.chat)
    return { chat: id, stopped: await ctx.turns.stop(id) }
  },
  render: ({ stopped }) => (stopped ? 'Stopped.' : 'No answer is being written in this chat here.'),
})
