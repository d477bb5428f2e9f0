import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readEventId, type ChatEvent } from '../domain/chat/event.ts'
import { chatField, readableChat } from './chat-named.ts'

export const chatFollow = defineOperation({
  name: 'chat_follow',
  title: 'Follow a chat',
  summary: 'Stream a chat’s events, from a given event until the answer ends.',
  details:
    'Over HTTP it is a stream of server-sent events. An interrupted client resumes it with the id of the last event received, in `Last-Event-ID` or `after`. A client that does not read streams gets all events at the end. Disconnecting stops nothing. `docs/events.md` describes the events.',
  effect: 'read',
  words: 'analyst',
  turn: 'follows',
  needs: ['analyst'],
  onServer: {},
  positional: ['chat'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    chat: chatField,
    after: z.string().max(40).optional().describe('Id of the last received event.'),
  },
  output: {
    chat: z.string(),
    last: z.string().optional().describe('Id of the last event received, to resume after.'),
    events: z.array(z.unknown()).optional().describe('Only if they were not streamed.'),
  },
  examples: [{ title: 'The last chat from its beginning', input: { chat: 'last' } }],
  async run(ctx, input) {
    const { chat, log, isOwn } = await readableChat(ctx, input.chat)
    const after = input.after === undefined ? undefined : placeOf(input.after)
    const events: ChatEvent[] = []
    let last = input.after
    for await (const event of ctx.turns.follow(chat.id, after, ctx.signal ?? NEVER, isOwn ? undefined : log)) {
      if ('id' in event) last = event.id
      if (ctx.hear === undefined) events.push(event)
      else await ctx.hear(event)
    }
    return { chat: chat.id, ...(last !== undefined && { last }), ...(ctx.hear === undefined && { events }) }
  },
  render: (output) => (output.events ?? []).map((event) => JSON.stringify(event)).join('\n'),
})

const NEVER: StopSignal = { aborted: false, addEventListener() {}, removeEventListener() {} }

function placeOf(id: string) {
  const place = readEventId(id)
  if (place === undefined)
    throw new AppError('invalid_input', `"${id}" is not an event id.`, {
      hint: 'Omit it to read the chat from the start.',
    })
  return place
}
