import { z } from 'zod'
import { AppError, ERROR_TABLE, errorLine } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { ModelToolCall } from '../../kernel/ports/language-model.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, forPeople } from '../../operations/operation.ts'
import { closeInterrupted } from '../close-interrupted.ts'
import { END_REASONS, type Chat, type ChatMessage } from '../domain/chat/chat.ts'
import type { Approval, Citation } from '../domain/chat/part.ts'
import { turnAnswer } from '../domain/chat/turn-answer.ts'
import { renderCitations } from '../domain/citation/render-citations.ts'
import { firstSignal } from '../first-signal.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Turns } from '../running-turns.ts'
import { answerTurn } from './answer-turn.ts'
import { chartShape } from './chart-fields.ts'
import { chatHere } from './chat-named.ts'
import { contextHere, projectKey } from './project-key.ts'
import { readImages } from './read-images.ts'
import { withinBudget } from './within-budget.ts'

const LONGEST_TITLE = 64

const citation = z.object({
  text: z.string(),
  at: z.number().describe('Offset in the text.'),
  state: z.enum(['checked', 'differs', 'unsourced']),
  query: z.string().optional(),
  column: z.string().optional(),
  row: z.number().optional(),
  by: z.enum(['sum', 'min', 'max', 'mean', 'count']).optional(),
  found: z.string().optional().describe('The actual value of its cell.'),
})

export const ask = defineOperation({
  name: 'ask',
  title: 'Ask the analyst',
  summary:
    'Ask in plain words: an analyst looks into databases, documents, decisions and memory, runs SQL, answers with sources, or asks back.',
  searchHint: 'how many, why, revenue, report, analyse data',
  forPeople: 'Ask a question about data, documents, decisions and sessions.',
  details:
    'Name tables and documents with @ and skills with /. Without a model it gives the best sources; `ken config set model.name …` names one. Every step is kept: `ken chats` lists them.',
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  turn: 'begins',
  needs: ['analyst', 'context', 'record'],
  onServer: {},
  positional: ['question'],
  unlisted: ['model', 'images', 'sure', 'instead', 'detach', 'continue'],
  input: {
    question: z.string().min(1).max(20_000),
    chat: z
      .string()
      .max(100)
      .optional()
      .describe('Continue this chat, by id.')
      .meta(forPeople('Continue this chat: its id, or last.')),
    continue: z.boolean().default(false).describe('Continue the last chat here.'),
    model: z
      .string()
      .max(300)
      .optional()
      .describe('Model to use instead of the configured one, e.g. ollama:qwen3 or agent:codex.'),
    images: z.array(z.string().max(8_000_000)).max(4).optional().describe('Images to include: files or data: URLs.'),
    sure: z
      .boolean()
      .optional()
      .describe('Ask for three statements and use the result that most of them give; costs as many more requests.'),
    instead: z
      .string()
      .max(100)
      .optional()
      .describe('Replace this question of the chat (or the one before this answer); deletes what followed.'),
    detach: z.boolean().default(false).describe('Return the chat id at once; the turn continues in the server.'),
  },
  output: {
    chat: z.string(),
    message: z.string(),
    model: z.string(),
    end: z.enum(END_REASONS).optional(),
    text: z.string(),
    question: z.string().optional().describe('The analyst’s question; answer it with chat.'),
    options: z.array(z.string()).optional(),
    charts: z.array(chartShape),
    queries: z.array(z.object({ id: z.string(), database: z.string(), sql: z.string(), rows: z.number() })),
    citations: z.array(citation).describe('Source of each number in the text.'),
    stories: z.array(z.string()),
    follow_ups: z.array(z.string()),
    remembered: z.array(z.string()),
    injected: z.looseObject({}).optional().describe('Context given to the model: rules, memories, decisions, tables.'),
    usage: z.object({ input: z.number(), output: z.number(), cost: z.number().optional() }),
    notes: z.array(z.string()),
    failure: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  },
  examples: [{ title: 'A question', input: { question: 'How many orders are there?' } }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const answerer = await ctx.models.answerer(input.model)
    const { settings, warnings } =
      answerer?.kind === 'model' ? await withinBudget(ctx) : { settings: ctx.settings, warnings: [] }
    const images = await readImages(ctx, input.images ?? [])
    const { chat, replaced } = await placeOf(ctx, input, state)
    const at = ctx.clock.now().toISOString()
    // A program over HTTP asks on behalf of its user.
    const byPerson = isPerson(ctx.origin) || ctx.origin.surface === 'http'
    const question: ChatMessage = {
      id: ctx.clock.ulid(),
      chat: chat.id,
      role: 'user',
      at,
      superseded: false,
      ...(!byPerson && { model: `agent:${ctx.origin.client ?? 'unknown'}` }),
    }
    const model =
      answerer === undefined ? 'evidence' : answerer.kind === 'model' ? answerer.model.id : answerer.client.id
    const answer: ChatMessage = { ...question, id: ctx.clock.ulid(), role: 'assistant', model }
    const stop = new AbortController()
    const live = await (ctx.turns as Turns).begin(chat.id, () => stop.abort())
    await makeRoom(state, chat, replaced).catch(async (thrown: unknown) => {
      await live.close()
      throw thrown
    })
    const signal = firstSignal(stop.signal, input.detach ? undefined : ctx.signal)
    const begun = Promise.withResolvers<void>()
    const heard = {
      ...live,
      tell(event: Parameters<typeof live.tell>[0]) {
        if (event.type === 'message' && event.message.id === answer.id) begun.resolve()
        live.tell(event)
        return ctx.hear?.(event)
      },
    }
    const turn = answerTurn(
      { ...ctx, settings, signal },
      {
        chat,
        question,
        answer,
        words: input.question,
        images,
        answerer,
        live: heard,
        warnings,
        isSure: input.sure ?? ctx.settings.get('analyst.sure').value === true,
        isPerson: byPerson,
        approve: (call) =>
          approval(call, {
            live,
            isHeard: byPerson ? input.detach || ctx.hear !== undefined : ctx.asksPerson === true,
            signal,
          }),
      },
      state,
    ).finally(() => live.close())
    if (input.detach) {
      // Waits until the turn is stored, so that a follower in another process finds it running.
      await Promise.race([begun.promise, turn.catch(() => {})])
      return { ...NOTHING, chat: chat.id, message: answer.id, model }
    }
    await turn
    return { chat: chat.id, message: answer.id, model, ...(await outcome(state, chat.id, answer.id)) }
  },
  render(output, _input, view = PLAIN) {
    const text = renderCitations(output.text, output.citations as readonly Citation[], view)
    if (output.failure !== undefined) return [text, errorLine(output.failure)].filter((one) => one !== '').join('\n\n')
    return [
      text,
      ...(output.question === undefined ? [] : [askedBack(output)]),
      ...(output.follow_ups.length === 0 ? [] : ['Next:', ...output.follow_ups.map((line) => `- ${line}`)]),
      ...output.remembered.map((content) => `Remembered: ${content} ${operationNamed('memories_undo')} takes it back.`),
      ...output.notes,
    ]
      .filter((line) => line !== '')
      .join('\n')
  },
  exit: ({ end, failure, text }) =>
    // A turn that was capped without any text is not an answer either.
    end === 'failed' || (end === 'capped' && text === '')
      ? ERROR_TABLE[(failure?.code ?? 'unavailable') as keyof typeof ERROR_TABLE].exit
      : end === 'stopped'
        ? ERROR_TABLE.stopped.exit
        : 0,
})

const NOTHING = {
  text: '',
  charts: [],
  queries: [],
  citations: [],
  stories: [],
  follow_ups: [],
  remembered: [],
  usage: { input: 0, output: 0 },
  notes: [],
}

const askedBack = ({
  chat,
  question,
  options = [],
}: {
  chat: string
  question?: string | undefined
  options?: string[] | undefined
}): string =>
  [
    question!,
    ...options.map((option, i) => `${i + 1}. ${option}`),
    `Answer with ${operationNamed('ask')} in chat ${chat}.`,
  ].join('\n')

/** The chat, and the question in it that this one replaces. */
async function placeOf(
  ctx: Given<'analyst' | 'context'>,
  input: { chat?: string | undefined; continue: boolean; question: string; instead?: string | undefined },
  state: AnalystState,
): Promise<{ readonly chat: Chat; readonly replaced: string | undefined }> {
  if (input.instead === undefined) return { chat: await chatOf(ctx, input, state), replaced: undefined }
  const named = input.chat ?? (input.continue ? 'last' : undefined)
  const found = await chatHere(
    ctx,
    named ?? (await state.chats.ofMessage(input.instead, ctx.user))?.id ?? input.instead,
  )
  const messages = await state.log.messages(found.id)
  const at = messages.findIndex(({ id }) => id === input.instead)
  const replaced = messages.slice(0, at + 1).findLast(({ role }) => role === 'user')
  if (replaced === undefined)
    throw new AppError('not_found', `No message ${visibleLine(input.instead)} in this chat.`, {
      hint: `${operationNamed('chat_show')} with JSON returns their ids, without replaced ones.`,
    })
  // A client would continue from its own session, which includes the replaced question.
  return { chat: { ...found, clientSession: '' }, replaced: replaced.id }
}

/** Closes an interrupted turn, and removes a message that is retried. */
async function makeRoom(state: AnalystState, chat: Chat, replaced: string | undefined): Promise<void> {
  await closeInterrupted(state, chat.id)
  if (replaced === undefined) return
  await state.log.supersede(chat.id, replaced)
  await state.chats.change(chat.id, { clientSession: '' })
}

/** Returns the named chat, the last one here, or a new one. */
async function chatOf(
  ctx: Given<'analyst' | 'context'>,
  input: { chat?: string | undefined; continue: boolean; question: string },
  state: AnalystState,
): Promise<Chat> {
  const project = await projectKey(ctx)
  const here = { user: ctx.user, project, limit: 1 }
  const isLast = input.continue || input.chat === 'last'
  const [last] = isLast ? await state.chats.list(here) : []
  if (last !== undefined) return last
  if (input.chat !== undefined && !isLast) return chatHere(ctx, input.chat)
  const at = ctx.clock.now().toISOString()
  const chat: Chat = {
    id: ctx.clock.ulid(),
    user: ctx.user,
    project,
    folder: (await contextHere(ctx))?.root ?? ctx.cwd,
    title: ellipsis(visibleLine(input.question.trim().split('\n')[0]!), LONGEST_TITLE),
    starred: false,
    createdAt: at,
    updatedAt: at,
  }
  await state.chats.start(chat)
  return chat
}

/**
 * Asks the chat's subscriber whether a call may be made: a person at the terminal, at a page through chat_approve, or
 * in a form of the client. Without a subscriber, or if the turn is stopped, the call is denied.
 */
async function approval(
  call: ModelToolCall,
  turn: { live: { approval(call: string): Promise<Approval> }; isHeard: boolean; signal: AbortSignal },
): Promise<Approval> {
  if (!turn.isHeard || turn.signal.aborted) return 'no'
  const stopped = Promise.withResolvers<'no'>()
  const refuse = (): void => stopped.resolve('no')
  turn.signal.addEventListener('abort', refuse)
  try {
    return await Promise.race([turn.live.approval(call.id), stopped.promise])
  } finally {
    turn.signal.removeEventListener('abort', refuse)
  }
}

async function outcome(state: AnalystState, chat: string, message: string) {
  const [messages, parts, queries] = await Promise.all([
    state.log.messages(chat),
    state.log.parts(chat, 0),
    state.queries.list(chat),
  ])
  const own = parts.filter((part) => part.message === message).map(({ part }) => part)
  const { question, options, followUps, injected, failure, charts, notices, ...rest } = turnAnswer(own)
  const end = messages.find(({ id }) => id === message)?.end
  const { input = 0, output = 0, cost } = end?.usage ?? {}
  return {
    ...rest,
    ...(end !== undefined && { end: end.reason }),
    ...(question !== undefined && { question, options: [...options] }),
    charts: charts.map((one) => ({ ...one, series: one.series.map((series) => ({ ...series })) })),
    citations: rest.citations.map((one) => ({ ...one })),
    stories: [...rest.stories],
    remembered: [...rest.remembered],
    notes: [...notices],
    queries: queries
      .filter((query) => query.message === message)
      .map(({ id, database, sql, rowCount }) => ({ id, database, sql, rows: rowCount })),
    follow_ups: [...followUps],
    ...(injected !== undefined && { injected: { ...injected } }),
    usage: { input, output, ...(cost !== undefined && { cost }) },
    ...(failure !== undefined && { failure: { ...failure } }),
  }
}
