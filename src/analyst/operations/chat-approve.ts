import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { chatField, chatNamed } from './chat-named.ts'

export const chatApprove = defineOperation({
  name: 'chat_approve',
  title: 'Allow or refuse a call',
  summary: 'Approve or deny a pending tool call.',
  details:
    'Tools of other MCP servers need approval by a person. `once` allows this call alone, `chat` the same tool for the rest of the chat, `no` refuses it.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['chat', 'call', 'answer'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    chat: chatField,
    call: z.string().min(1).max(200).describe('The id of the call, as the event `approval` names it.'),
    answer: z.enum(['once', 'chat', 'no']),
  },
  output: { call: z.string(), answer: z.enum(['once', 'chat', 'no']), settled: z.boolean() },
  examples: [{ title: 'Refuse a call', input: { chat: 'last', call: 'call_1', answer: 'no' } }],
  async run(ctx, input) {
    const { id } = await chatNamed(ctx, input.chat)
    const settled = await ctx.turns.settle(id, input.call, input.answer)
    if (!settled && input.answer !== 'no')
      throw new AppError('not_found', 'No such call is pending approval.', {
        hint: 'It may already be answered, or its turn has ended.',
      })
    return { call: input.call, answer: input.answer, settled }
  },
  render: ({ answer, settled }) => (!settled ? 'No such call waits.' : answer === 'no' ? 'Refused.' : 'Allowed.'),
})
