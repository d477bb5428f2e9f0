import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { Chat, ChatMessage } from '../domain/chat/chat.ts'
import type { ChatPart } from '../domain/chat/part.ts'
import { shortId } from '../find-chat.ts'
import type { ReadLog } from '../log-for-readers.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { StoredPart } from '../ports/chat-log.ts'
import { chatField, readableHere } from './chat-named.ts'

export const chatBranch = defineOperation({
  name: 'chat_branch',
  title: 'Branch a chat',
  summary: 'Start a new chat from another one, up to an answer.',
  details:
    'The original chat does not change, including one that another person shares with you; memories about that person are not copied. Queries are copied with their rows, so charts and cited numbers keep their sources; votes and costs are not.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat', 'message'],
  input: {
    chat: chatField.default('last'),
    message: z.string().max(100).optional().describe('Last message to copy; default: the last one.'),
  },
  output: { id: z.string(), from: z.string(), title: z.string(), messages: z.number() },
  examples: [{ title: 'All of the last one', input: {} }],
  async run(ctx, input) {
    const { chat: from, log } = await readableHere(ctx, input.chat)
    const state = await ctx.analystState()
    const messages = await messagesUpTo(log, from.id, input.message)
    const at = ctx.clock.now().toISOString()
    const last = messages.at(-1)?.id
    const branch: Chat = {
      id: ctx.clock.ulid(),
      user: ctx.user,
      project: from.project,
      folder: from.folder,
      title: from.title,
      starred: false,
      createdAt: at,
      updatedAt: at,
      origin: { chat: from.id, user: from.user, ...(last !== undefined && { message: last }) },
    }
    await state.chats.start(branch)
    try {
      await copyMessages(
        { ...state, log: { ...state.log, ...log } },
        { from: from.id, to: branch.id, messages },
        ctx.clock,
      )
    } catch (thrown) {
      // Half a conversation is worse than none.
      await state.chats.erase(branch.id)
      throw thrown
    }
    return { id: branch.id, from: from.id, title: branch.title, messages: messages.length }
  },
  render: ({ id, from }) =>
    `Chat ${shortId(id)} goes on from ${shortId(from)}. ${operationNamed('ask')} in chat ${shortId(id)} asks there.`,
})

/** Returns the messages up to and including the named one; throws if one is unfinished. */
async function messagesUpTo(log: ReadLog, chat: string, named: string | undefined): Promise<readonly ChatMessage[]> {
  const all = await log.messages(chat)
  const at = named === undefined ? all.length - 1 : all.findIndex(({ id }) => id === named)
  if (named !== undefined && at < 0)
    throw new AppError('not_found', `No message ${visibleLine(named)} in this chat.`, {
      hint: `${operationNamed('chat_show')} with JSON returns their ids.`,
    })
  const messages = all.slice(0, at + 1)
  if (messages.some(({ end }) => end === undefined))
    throw new AppError('conflict', 'This chat is being answered.', { hint: 'Wait until it finishes, or stop it.' })
  return messages
}

async function copyMessages(
  state: AnalystState,
  { from, to, messages }: { from: string; to: string; messages: readonly ChatMessage[] },
  clock: Clock,
): Promise<void> {
  const parts = Map.groupBy(await state.log.parts(from, 0), ({ message }) => message)
  const ids = new Map(messages.map(({ id }) => [id, clock.ulid()]))
  const numbers = new Map<number, number>()
  for (const message of messages) {
    const own = parts.get(message.id) ?? []
    const copy = { ...message, id: ids.get(message.id)!, chat: to }
    const given = await state.log.begin(
      copy,
      own.map(({ part }) => elsewhere(part, numbers)),
    )
    own.forEach(({ number }: StoredPart, i) => numbers.set(number, given[i]!))
  }
  for (const { id } of await state.queries.list(from)) {
    const query = await state.queries.find(from, id)
    const message = query && ids.get(query.message)
    if (query !== undefined && message !== undefined) await state.queries.keep({ ...query, chat: to, message })
  }
}

/** Renumbers the part that a summary refers to: parts have other numbers in the branch. */
function elsewhere(part: ChatPart, numbers: ReadonlyMap<number, number>): ChatPart {
  if (part.kind !== 'compaction') return part
  const known = [...numbers].filter(([before]) => before <= part.upTo).map(([, after]) => after)
  return { ...part, upTo: Math.max(0, ...known) }
}
