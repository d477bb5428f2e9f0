import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../kernel/domain/errors.ts'
import type { Usage } from '../kernel/domain/model-usage.ts'
import { NO_USAGE } from '../kernel/domain/model-usage.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type {
  LanguageModel,
  ModelMessage,
  ModelReasoning,
  ModelText,
  ModelToolCall,
} from '../kernel/ports/language-model.ts'
import { openCallBounds, type CallBounds } from './call-bounds.ts'
import type { Caps } from './caps.ts'
import { openMeter, type Spending } from './caps.ts'
import { isFull, summarise } from './compaction.ts'
import { isSummary, summaryMessage } from './conversation.ts'
import type { EndReason, MessageEnd } from './domain/chat/chat.ts'
import type { Approval, ChatPart } from './domain/chat/part.ts'
import type { ChatQueries } from './ports/chat-queries.ts'
import { runCalls } from './run-calls.ts'
import { converseWithin } from './silence-limit.ts'
import type { AnalystTool } from './tool.ts'
import { failurePart, type TurnWriter } from './turn-writer.ts'

export interface ModelTurn {
  readonly chat: string
  readonly model: LanguageModel
  readonly system: string
  /** Earlier messages; `historyEnd` is the number of their last part. */
  readonly history: readonly ModelMessage[]
  readonly historyEnd: number
  readonly question: ModelMessage
  /** The question or the system prompt contains third-party text. */
  readonly hasOthersWords: boolean
  readonly tools: readonly AnalystTool[]
  readonly caps: Caps
  readonly writer: TurnWriter
  readonly queries: ChatQueries
  readonly clock: Clock
  /** Stops everything, including running database queries. */
  readonly signal: AbortSignal
  /** Tools allowed for the whole chat, see `allowedIn`. */
  readonly allowed: Set<string>
  approve(call: ModelToolCall): Promise<Approval>
  keepCall(call: CallFacts): Promise<void>
}

export interface CallFacts {
  readonly purpose: 'answer' | 'compaction'
  readonly usage: Usage
  readonly milliseconds: number
  readonly failed: boolean
}

export interface TurnResult extends Spending, Pick<MessageEnd, 'window'> {
  readonly reason: EndReason
}

const MAX_OUTPUT = 16_000
/** Characters per step; a model that keeps to MAX_OUTPUT never exceeds it. */
const MOST_SAID = 1_000_000
/** Milliseconds before the single retry of a failed provider. */
const BACK_OFF = 1_500
const LAST_WORDS =
  'You have reached the limit of this turn. Answer now with what you have found, and say what is missing. Call no tool.'

/** Asks a model step by step, runs its calls, and stores everything, until it has answered or a cap is reached. */
export async function askModel(turn: ModelTurn): Promise<TurnResult> {
  const started = turn.clock.now().getTime()
  const elapsed = (): number => turn.clock.now().getTime() - started
  const meter = openMeter(turn.caps)
  const calls = openCallBounds()
  let talk: Talk = { before: turn.history, now: [turn.question] }
  const end = (reason: EndReason): TurnResult => {
    const used = meter.last().input + meter.last().output
    return { reason, ...meter.spent(), ...(used > 0 && { window: { used, size: turn.model.window } }) }
  }
  for (;;) {
    if (turn.signal.aborted) return end('stopped')
    const reached = meter.reached(elapsed())
    if (reached !== undefined)
      await turn.writer.add({ kind: 'notice', text: `The limit of ${reached.told} is reached.` })
    // No final answer after the token, time or cost cap.
    if (reached !== undefined && reached.cap !== 'steps') return end('capped')
    try {
      talk = await withinWindow(talk, turn, reached !== undefined)
      const step = await oneStep(talk, turn, { meter, calls, isLast: reached !== undefined })
      if (step === undefined) return end('failed')
      if (reached !== undefined) return end('capped')
      talk = { ...talk, now: [...talk.now, step.said] }
      if (step.calls.length === 0 && !hasAnswered(turn.writer.told())) {
        await turn.writer.add(failurePart(silent(turn.model.id)))
        return end('failed')
      }
      if (step.calls.length === 0) return end('answered')
      const { results, ends } = await runCalls(step.calls, { ...turn, hasReadOthers: hasReadOthers(talk, turn) })
      talk = { ...talk, now: [...talk.now, { role: 'tool', content: results }] }
      if (ends !== undefined) return end(ends)
    } catch (thrown) {
      if (turn.signal.aborted) return end('stopped')
      await turn.writer.add(failurePart(thrown))
      return end('failed')
    }
  }
}

/** Whether the model has read third-party text: tool results and summaries contain it. */
const hasReadOthers = ({ before, now }: Talk, turn: ModelTurn): boolean =>
  turn.hasOthersWords || [...before, ...now].some((message) => message.role === 'tool' || isSummary(message))

/** A chart or a story counts as an answer. */
const hasAnswered = (parts: readonly ChatPart[]): boolean =>
  parts.some(
    (part) => part.kind === 'chart' || part.kind === 'story' || (part.kind === 'text' && part.text.trim() !== ''),
  )

const silent = (model: string): AppError =>
  new AppError('unavailable', `${model} returned an empty answer.`, {
    hint: 'Ask again or use another model; a reasoning model may use up its answer tokens.',
  })

/** The conversation before this turn, and this turn. */
interface Talk {
  readonly before: readonly ModelMessage[]
  readonly now: readonly ModelMessage[]
}

async function withinWindow(talk: Talk, turn: ModelTurn, isLast: boolean): Promise<Talk> {
  const load = loadOf(talk, turn, isLast)
  if (!isFull(load, turn.model.window)) return talk
  // Summarises the history before this turn first; if the turn itself fills the window, all of it but the question and
  // the last exchange.
  const isEarlier = talk.before.length > 1
  const kept = isEarlier ? talk.now : [turn.question, ...lastExchange(talk.now)]
  const said = isEarlier ? talk.before : [...talk.before, ...talk.now.slice(0, talk.now.length - kept.length + 1)]
  if (!isEarlier && talk.now.length === 1) return talk
  const started = turn.clock.now().getTime()
  const { summary, problem } = await summarise(said, turn)
  await turn.keepCall({
    purpose: 'compaction',
    usage: NO_USAGE,
    milliseconds: turn.clock.now().getTime() - started,
    failed: problem !== undefined,
  })
  const upTo = isEarlier ? turn.historyEnd : turn.writer.last()
  await turn.writer.add({ kind: 'compaction', summary, upTo })
  return { before: [summaryMessage(summary)], now: kept }
}

const loadOf = (talk: Talk, turn: ModelTurn, isLast: boolean) => ({
  system: turn.system,
  messages: [...talk.before, ...talk.now],
  tools: isLast ? [] : turn.tools.map(({ name, description, schema }) => ({ name, description, schema })),
  maxTokens: Math.min(MAX_OUTPUT, Math.floor(turn.model.window / 4)),
})

/** The model's last message and the results of its calls. */
function lastExchange(now: readonly ModelMessage[]): readonly ModelMessage[] {
  const at = now.findLastIndex(({ role }) => role === 'assistant')
  return at <= 1 ? [] : now.slice(at)
}

interface Step {
  readonly said: Extract<ModelMessage, { role: 'assistant' }>
  readonly calls: readonly ModelToolCall[]
}

interface Asking {
  readonly meter: ReturnType<typeof openMeter>
  readonly calls: CallBounds
  readonly isLast: boolean
}

/** Makes one request, and one retry after a transient provider failure. Returns undefined if both failed. */
async function oneStep(talk: Talk, turn: ModelTurn, asking: Asking): Promise<Step | undefined> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await request(talk, turn, asking)
    } catch (thrown) {
      const failure = toAppError(thrown)
      if (turn.signal.aborted) throw failure
      if (isAgain || failure.details?.['retry'] !== true) {
        await turn.writer.add(failurePart(failure))
        return undefined
      }
      const text = `${failure.message.replace(/\.$/, '')}. Asked once more.`
      await turn.writer.add({ kind: 'notice', text, again: true })
      await sleep(BACK_OFF, undefined, { signal: turn.signal }).catch(() => {})
    }
  }
}

async function request(talk: Talk, turn: ModelTurn, { meter, calls: bounds, isLast }: Asking): Promise<Step> {
  const started = turn.clock.now().getTime()
  const load = loadOf(talk, turn, isLast)
  const content: (ModelText | ModelReasoning | ModelToolCall)[] = []
  let usage: Usage = NO_USAGE
  let failed = true
  let said = 0
  let left = 0
  const messages: readonly ModelMessage[] = isLast
    ? [...load.messages, { role: 'user', content: [{ type: 'text', text: LAST_WORDS }] }]
    : load.messages
  try {
    const limit = {
      milliseconds: turn.caps.silence,
      tell: (text: string) => turn.writer.add({ kind: 'notice', text }),
    }
    for await (const event of converseWithin(turn.model, { ...load, messages, signal: turn.signal }, limit)) {
      if (event.type === 'text' || event.type === 'reasoning') {
        grow(content, event)
        await turn.writer.say(event.type, event.text)
        said += event.text.length
        if (said <= MOST_SAID) continue
        failed = false
        await turn.writer.add({ kind: 'notice', text: 'The answer was cut off: the model went on and on.' })
        break
      } else if (event.type === 'reasoned') {
        const last = content.findLastIndex(({ type }) => type === 'reasoning')
        if (last >= 0) content[last] = { ...(content[last] as ModelReasoning), carry: event.carry }
        await turn.writer.carry(event.carry)
      } else if (event.type === 'call') {
        const call = bounds.take(event, content.filter(({ type }) => type === 'call').length)
        if (call === undefined) {
          left++
          continue
        }
        content.push(call)
        const { id, name, input, carry } = call
        await turn.writer.add({ kind: 'call', call: id, tool: name, input, ...(carry !== undefined && { carry }) })
      } else {
        usage = event.usage
        failed = false
        if (event.reason === 'length')
          await turn.writer.add({ kind: 'notice', text: 'The answer was cut off: it is as long as the model allows.' })
      }
    }
  } finally {
    meter.spend(usage)
    await turn.keepCall({ purpose: 'answer', usage, milliseconds: turn.clock.now().getTime() - started, failed })
  }
  if (left > 0)
    await turn.writer.add({
      kind: 'notice',
      text: `${left} calls were left out: the model asked for too many at once.`,
    })
  const calls = isLast ? [] : content.filter((one) => one.type === 'call')
  return { said: { role: 'assistant', content }, calls }
}

function grow(
  content: (ModelText | ModelReasoning | ModelToolCall)[],
  { type, text }: { type: 'text' | 'reasoning'; text: string },
): void {
  const last = content.at(-1)
  if (last !== undefined && last.type !== 'call' && last.type === type)
    content[content.length - 1] = { ...last, text: last.text + text }
  else content.push({ type, text })
}
