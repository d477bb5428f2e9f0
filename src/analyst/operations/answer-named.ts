import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import type { Chat, ChatMessage } from '../domain/chat/chat.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { projectKey } from './project-key.ts'

export interface NamedAnswer {
  readonly chat: Chat
  readonly message: ChatMessage
}

export const looksLikeId = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{26}$/i.test(text)

/**
 * Finds one of the user's answers by its id, by its chat's id (the last answer in that chat), or by `last` (the newest
 * here).
 */
export async function answerNamed(ctx: Given<'analyst'>, named: string): Promise<NamedAnswer> {
  const state = await ctx.analystState()
  const found =
    named === 'last'
      ? await lastAnswer(state, await newestChat(ctx, state))
      : ((await lastAnswer(state, await state.chats.find(named, ctx.user))) ?? (await byMessage(ctx, state, named)))
  // A server serves only one project.
  const isOffered = isPerson(ctx.origin) || found?.chat.project === (await projectKey(ctx))
  if (found !== undefined && isOffered) return found
  const what = named === 'last' ? noneYet('answers') : `No answer "${visibleLine(named).slice(0, 60)}".`
  throw new AppError('not_found', what, {
    hint: `Ask something first with ${operationNamed('ask')}, or name the message that its JSON gives.`,
  })
}

const newestChat = async (ctx: Given, { chats }: AnalystState): Promise<Chat | undefined> =>
  (await chats.list({ user: ctx.user, project: await projectKey(ctx), limit: 1 }))[0]

async function lastAnswer(state: AnalystState, chat: Chat | undefined): Promise<NamedAnswer | undefined> {
  if (chat === undefined || chat.deletedAt !== undefined) return undefined
  const message = (await state.log.messages(chat.id)).findLast(
    ({ role, end }) => role === 'assistant' && end !== undefined,
  )
  return message && { chat, message }
}

async function byMessage(ctx: Given, state: AnalystState, id: string): Promise<NamedAnswer | undefined> {
  const chat = await state.chats.ofMessage(id, ctx.user)
  if (chat === undefined || chat.deletedAt !== undefined) return undefined
  const message = (await state.log.messages(chat.id)).find((one) => one.id === id && one.role === 'assistant')
  return message && { chat, message }
}
