import type { Chat, ChatMessage } from '../../analyst/domain/chat/chat.ts'
import { looksLikeId } from '../../analyst/operations/answer-named.ts'
import { chatHere } from '../../analyst/operations/chat-named.ts'
import { contextHere } from '../../analyst/operations/project-key.ts'
import type { AnalystState } from '../../analyst/ports/analyst-state.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import type { Given } from '../../operations/context.ts'
import type { WrittenCase } from '../domain/case-text.ts'
import { checkAnswer } from '../domain/check-answer.ts'
import { recordedTurn } from '../domain/recorded-turn.ts'
import { turnFacts } from './turn-facts.ts'

export interface Recorded {
  readonly written: WrittenCase
  /** Hints for the person. */
  readonly notes: readonly string[]
}

export interface RecordOptions {
  readonly name: string | undefined
  readonly tags: readonly string[]
  /** Names of other cases. */
  readonly taken: ReadonlySet<string>
}

/** One turn of a chat, and the person's messages up to it. */
export interface NamedTurn {
  readonly chat: Chat
  readonly answer: ChatMessage
  /** The person's messages, oldest first; the last is the question. */
  readonly said: readonly string[]
  readonly hasImages: boolean
}

/**
 * Converts a turn into a case of the right kind, depending on whether the turn ran a statement, answered, asked for
 * clarification or refused.
 */
export async function recordTurn(
  ctx: Given<'analyst' | 'context'>,
  named: string,
  options: RecordOptions,
): Promise<Recorded> {
  const state = await ctx.analystState()
  const { chat, answer, said, hasImages } = await turnNamed(ctx, state, named)
  const facts = await turnFacts(state, chat.id, answer.id)
  if (facts.failure !== undefined || (answer.end?.reason !== 'answered' && answer.end?.reason !== 'asked'))
    throw nothingToExpect(`that turn ended without an answer (${facts.failure?.message ?? answer.end!.reason})`)
  if (answer.model === 'evidence') throw nothingToExpect('no model answered that question')
  if (facts.text.trim() === '' && facts.question === undefined && facts.queries.length === 0)
    throw nothingToExpect('that answer is empty')
  const databases = (await contextHere(ctx))?.config.databases.length ?? 0
  const ran = await state.queries.list(chat.id)
  const written = recordedTurn({
    ...options,
    prompt: said.at(-1)!,
    earlier: said.slice(0, -1),
    facts,
    databaseOf: ({ id }) => (databases > 1 ? ran.find((one) => one.id === id)?.database : undefined),
    day: ctx.clock.now().toISOString().slice(0, 10),
    holds: (assertion) => checkAnswer([assertion], facts).every(({ passed }) => passed),
  })
  return {
    written,
    notes: [
      ...(hasImages ? ['An image that was sent with the question is not in the case.'] : []),
      ...(written.fields.kind === 'sql'
        ? ['The statement that the analyst ran is now what is expected: see that it is right.']
        : []),
    ],
  }
}

const nothingToExpect = (why: string): AppError =>
  new AppError('invalid_input', `Nothing to expect: ${why}.`, {
    hint: `Use another message; ${operationNamed('chat_show')} lists them, with ids in --json.`,
  })

/** Turn by the id of one of its messages, or the last one of the named chat. */
export async function turnNamed(ctx: Given<'analyst'>, state: AnalystState, named: string): Promise<NamedTurn> {
  const id = named.trim().toUpperCase()
  const owner = looksLikeId(id) ? await state.chats.ofMessage(id, ctx.user) : undefined
  const chat = await chatHere(ctx, owner?.id ?? named)
  const [messages, parts] = await Promise.all([state.log.messages(chat.id), state.log.parts(chat.id, 0)])
  const at = owner === undefined ? messages.length - 1 : messages.findIndex((one) => one.id === id)
  const question = messages.slice(0, at + 1).findLastIndex(({ role }) => role === 'user')
  const answer = messages.slice(question + 1).find(({ role }) => role === 'assistant')
  if (question < 0 || answer === undefined)
    throw new AppError('not_found', noneYet('answers in that chat'), {
      hint: `List chats with ${operationNamed('chats_list')}.`,
    })
  if (answer.end === undefined)
    throw new AppError('conflict', 'That answer is still being written.', { hint: 'Record it when it exists.' })
  const asked = messages.slice(0, question + 1).filter(({ role }) => role === 'user')
  const of = (message: ChatMessage) => parts.filter((one) => one.message === message.id).map(({ part }) => part)
  return {
    chat,
    answer,
    said: asked.map((one) =>
      of(one)
        .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
        .join('\n\n'),
    ),
    hasImages: of(asked.at(-1)!).some(({ kind }) => kind === 'image'),
  }
}
