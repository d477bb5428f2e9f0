import { allowedIn } from '../../agent/allowed-tools.ts'
import { askClient } from '../../agent/ask-client.ts'
import { askModel, type TurnResult } from '../../agent/ask-model.ts'
import type { Caps } from '../../agent/caps.ts'
import { citeAnswer } from '../../agent/cite-answer.ts'
import { conversation } from '../../agent/conversation.ts'
import { firstSignal } from '../../agent/first-signal.ts'
import { learnFromChat } from '../../agent/learn-from-chat.ts'
import type { LiveTurn } from '../../agent/running-turns.ts'
import { serverTools } from '../../agent/server-tools.ts'
import { systemPrompt } from '../../agent/system-prompt.ts'
import type { AnalystTool } from '../../agent/tool.ts'
import { turnContent, type TurnAdditions } from '../../agent/turn-content.ts'
import { openTurnWriter, type TurnWriter } from '../../agent/turn-writer.ts'
import { NO_USAGE, type Chat, type ChatMessage } from '../../core/chat/chat.ts'
import type { Approval, ChatPart } from '../../core/chat/part.ts'
import { toAppError } from '../../core/to-app-error.ts'
import type { AnalystState } from '../../ports/analyst-state.ts'
import type { Context } from '../../ports/context.ts'
import type { ModelMessage, ModelText, ModelToolCall } from '../../ports/language-model.ts'
import type { Answerer } from '../../ports/models.ts'
import { analystOperations, analystTools } from './analyst-tools.ts'
import { ADD_A_MODEL, gatherEvidence } from './gather-evidence.ts'
import { gatherTurn } from './gather-turn.ts'
import { memorySwitches } from './memory-switches.ts'
import { contextHere } from './project-key.ts'

export interface AskedTurn {
  readonly chat: Chat
  readonly question: ChatMessage
  readonly answer: ChatMessage
  readonly words: string
  readonly images: TurnAdditions['images']
  readonly answerer: Answerer | undefined
  readonly live: LiveTurn
  /** Of the person's own words, which alone are learned from; an agent that asks is nobody's memory. */
  readonly isPerson: boolean
  approve(call: ModelToolCall): Promise<Approval>
}

/** One question and its answer, from what is put before the model to the last part that is written down. */
export async function answerTurn(ctx: Context, asked: AskedTurn, state: AnalystState): Promise<void> {
  const { chat, question, answer, live, words } = asked
  const started = ctx.clock.now().getTime()
  const before = await history(state, chat.id)
  const writer = openTurnWriter(answer, { log: state.log, live, clock: ctx.clock })
  const images = asked.images.map((image): ChatPart => ({ kind: 'image', ...image }))
  await writer.begin(question, [{ kind: 'text', text: words }, ...images])
  await state.log.end(question.id, { reason: 'answered', usage: NO_USAGE, milliseconds: 0, steps: 0 })
  await writer.begin(answer, [])
  const learning = learn(ctx, asked, state)
  let result: TurnResult = { reason: 'failed', usage: NO_USAGE, steps: 0 }
  try {
    result = await answerWith(ctx, asked, { state, writer, before })
    const cited = asked.answerer && (await citeAnswer({ chat: chat.id, words, parts: writer.told() }, state.queries))
    if (cited !== undefined) await writer.add(cited)
    for (const part of await soon(learning)) await writer.add(part)
  } catch (thrown) {
    const { code, message, hint } = toAppError(thrown)
    if (ctx.signal?.aborted) result = { ...result, reason: 'stopped' }
    else await writer.add({ kind: 'failure', code, message, ...(hint !== undefined && { hint }) })
  } finally {
    await writer.end({ ...result, milliseconds: ctx.clock.now().getTime() - started })
  }
}

interface Desk {
  readonly state: AnalystState
  readonly writer: TurnWriter
  readonly before: History
}

interface History {
  readonly messages: readonly ModelMessage[]
  readonly end: number
  readonly asked: readonly string[]
  /** Tools of others that the person allowed for this chat. */
  readonly allowed: Set<string>
}

async function history(state: AnalystState, chat: string): Promise<History> {
  const [messages, parts] = await Promise.all([state.log.messages(chat), state.log.parts(chat, 0)])
  const users = new Set(messages.filter(({ role }) => role === 'user').map(({ id }) => id))
  return {
    messages: conversation(messages, parts),
    end: parts.at(-1)?.number ?? 0,
    allowed: allowedIn(parts.map(({ part }) => part)),
    asked: parts.flatMap(({ message, part }) => (users.has(message) && part.kind === 'text' ? [part.text] : [])),
  }
}

async function answerWith(ctx: Context, asked: AskedTurn, desk: Desk): Promise<TurnResult> {
  const { answerer, words, chat } = asked
  const { writer, state, before } = desk
  if (answerer === undefined) {
    await writer.say('text', await gatherEvidence(ctx, words))
    await writer.add({ kind: 'notice', text: ADD_A_MODEL })
    return { reason: 'answered', usage: NO_USAGE, steps: 0 }
  }
  const project = await contextHere(ctx)
  const record = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  const names = analystOperations({
    context: project !== undefined,
    record: record !== undefined && record.absence === undefined,
  })
  const window = answerer.kind === 'model' ? answerer.model.window : Number.POSITIVE_INFINITY
  const gathered = await gatherTurn(
    ctx,
    {
      words,
      earlier: before.asked,
      chat: chat.id,
      projectKey: chat.project,
      images: asked.images,
      tools: new Set(names),
      schemaTokens: Math.min(Number(ctx.settings.get('analyst.schemaTokens').value), Math.floor(window / 8)),
    },
    { project, state },
  )
  await writer.add({ kind: 'injected', injected: gathered.injected })
  for (const text of gathered.notices) await writer.add({ kind: 'notice', text })
  const system = systemPrompt(gathered.prompt)
  const content = turnContent(words, gathered.additions)
  return answerer.kind === 'model'
    ? askTheModel(ctx, asked, { ...desk, names, system, question: { role: 'user', content }, model: answerer.model })
    : askTheClient(ctx, asked, { ...desk, names, system, content, client: answerer.client })
}

async function askTheModel(
  ctx: Context,
  asked: AskedTurn,
  desk: Desk & {
    names: readonly string[]
    system: string
    question: ModelMessage
    model: Extract<Answerer, { kind: 'model' }>['model']
  },
): Promise<TurnResult> {
  const { state, writer, before, model } = desk
  const { chat, answer } = asked
  const tally = new Map<string, number>()
  const caps = capsOf(ctx)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), caps.milliseconds)
  const signal = firstSignal(late.signal, ctx.signal)
  try {
    const others = await toolsOfOthers(ctx, writer, signal)
    const own = await analystTools(ctx, desk.names, (call) => ({
      chat: chat.id,
      message: answer.id,
      call,
      tally,
      add: async (part) => void (await writer.add(part)),
    }))
    const result = await askModel({
      chat: chat.id,
      model,
      system: desk.system,
      history: before.messages,
      historyEnd: before.end,
      question: desk.question,
      tools: [...own, ...others],
      caps,
      writer,
      queries: state.queries,
      clock: ctx.clock,
      signal,
      allowed: before.allowed,
      approve: asked.approve,
      keepCall: (call) =>
        state.calls.keep({
          ...call,
          id: ctx.clock.ulid(),
          user: ctx.user,
          project: chat.project,
          chat: chat.id,
          message: answer.id,
          model: model.id,
          at: ctx.clock.now().toISOString(),
        }),
    })
    if (result.reason !== 'stopped' || ctx.signal?.aborted) return result
    await writer.add({
      kind: 'notice',
      text: `The limit of ${Math.round(caps.milliseconds / 1_000)} seconds (analyst.seconds) is reached.`,
    })
    return { ...result, reason: 'capped' }
  } finally {
    clearTimeout(timer)
  }
}

/** Of the MCP servers that the project names. One that fails is told, and the turn goes on without it. */
async function toolsOfOthers(ctx: Context, writer: TurnWriter, signal: AbortSignal): Promise<readonly AnalystTool[]> {
  const project = await contextHere(ctx)
  if (project === undefined) return []
  const { tools, notices } = await serverTools({ servers: project.toolServers, redact: project.redact, signal })
  for (const text of notices) await writer.add({ kind: 'notice', text })
  return tools
}

async function askTheClient(
  ctx: Context,
  { chat, answer }: AskedTurn,
  desk: Desk & {
    names: readonly string[]
    system: string
    content: ReturnType<typeof turnContent>
    client: Extract<Answerer, { kind: 'client' }>['client']
  },
): Promise<TurnResult> {
  const { writer, state, before, client } = desk
  const caps = capsOf(ctx)
  const [id, session] = chat.clientSession?.split(' ') ?? []
  const texts = desk.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < desk.content.length)
    await writer.add({ kind: 'notice', text: `${client.id} is asked without the images.` })
  const isKnown = id === client.id && session !== undefined
  const earlier = isKnown || before.messages.length === 0 ? [] : [toldBefore(before.messages)]
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), caps.milliseconds)
  const signal = firstSignal(late.signal, ctx.signal)
  try {
    return await askClient({
      client,
      writer,
      request: {
        system: desk.system,
        prompt: [...earlier, ...texts].join('\n\n'),
        folder: chat.folder,
        server: {
          command: [...ctx.launcher, 'serve', '--stdio'],
          environment: { KEN_CHAT: chat.id, KEN_MESSAGE: answer.id },
        },
        tools: desk.names,
        ...(isKnown && { session }),
        maxSteps: caps.steps,
        signal,
      },
      keepSession: (own) => state.chats.change(chat.id, { clientSession: `${client.id} ${own}` }),
    })
  } finally {
    clearTimeout(timer)
  }
}

const LONGEST_BEFORE = 20_000

/** A client that was not there before is told what was said. */
function toldBefore(messages: readonly ModelMessage[]): string {
  const lines = messages.flatMap((message) =>
    message.role === 'tool'
      ? []
      : message.content
          .filter((part): part is ModelText => part.type === 'text')
          .map(({ text }) => `${message.role === 'user' ? 'Person' : 'Analyst'}: ${text}`),
  )
  return `What was said in this conversation so far:\n\n${lines.join('\n\n').slice(-LONGEST_BEFORE)}\n\nNow the person says:`
}

const capsOf = ({ settings }: Pick<Context, 'settings'>): Caps => ({
  steps: Number(settings.get('analyst.steps').value),
  tokens: Number(settings.get('analyst.tokens').value),
  milliseconds: Number(settings.get('analyst.seconds').value) * 1_000,
  cost: Number(settings.get('analyst.cost').value),
})

/** How long an answer that is there waits for what was learned beside it. */
const LEARNING = 5_000

/** What comes late is stored all the same, and only not told on this answer. */
function soon(learning: Promise<readonly ChatPart[]>): Promise<readonly ChatPart[]> {
  const { promise, resolve } = Promise.withResolvers<readonly ChatPart[]>()
  const timer = setTimeout(() => resolve([]), LEARNING)
  learning.catch(() => []).then(resolve)
  return promise.finally(() => clearTimeout(timer))
}

/** Beside the answer, and never in its way. */
async function learn(ctx: Context, asked: AskedTurn, state: AnalystState): Promise<readonly ChatPart[]> {
  if (!asked.isPerson || !(await memorySwitches(ctx)).learns) return []
  const model = asked.answerer?.kind === 'model' ? asked.answerer.model : undefined
  const embedder = await ctx.bundledEmbedder().catch(() => undefined)
  const { parts } = await learnFromChat(
    { state, clock: ctx.clock, model, embedder, signal: ctx.signal ?? new AbortController().signal },
    { user: ctx.user, project: asked.chat.project, chat: asked.chat.id },
  )
  return parts
}
