import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { chatField, chatNamed } from './chat-named.ts'

export const chatStop = defineOperation({
  name: 'chat_stop',
  title: 'Stop an answer',
  summary: 'Stop the running answer of a chat and its queries.',
  details:
    'The text so far is kept, and the chat can continue. It stops answers of the same process: over HTTP those of that server; at a terminal use Ctrl-C. On a team server it covers every replica.',
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
