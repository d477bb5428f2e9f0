import type { ChartData } from '../../analyst/domain/chart/chart.ts'
import { plotChart } from '../../analyst/domain/chart/plot-chart.ts'
import { chartHeight } from '../../analyst/domain/chart/plot.ts'
import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { turnAnswer, answerText } from '../../analyst/domain/chat/turn-answer.ts'
import { csvText } from '../../context/domain/results/csv.ts'
import { AppError, type ErrorCode } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given, Offered } from '../../operations/context.ts'
import type { ChannelPost, ChannelFile } from '../../team/domain/channel/channel-post.ts'
import type { TakenAsk } from '../../team/ports/channel-asks.ts'
import type { ChatChannel } from '../../team/ports/chat-channel.ts'
import { answerPost, shownAnswer, type ShownAnswer } from './answer-post.ts'
import { channelNamed, contextOfUser, NOT_LET_IN, run, type ChannelDesk, ifThere } from './channel-desk.ts'

/** Everything needed to answer one message. */
interface Answering {
  readonly desk: ChannelDesk
  readonly project: string
  readonly ask: TakenAsk
  readonly channel: ChatChannel
  readonly ctx: Given<'analyst'>
  readonly person: string
  readonly signal: AbortSignal
}

/**
 * Answers a channel message in its thread. It can be restarted at any point, including by another replica: completed
 * steps are recorded, and steps that may have happened are checked before they are repeated.
 */
export async function answerAsk(
  desk: ChannelDesk,
  { project, id, isLastTry }: { readonly project: string; readonly id: string; readonly isLastTry: boolean },
  signal: AbortSignal,
): Promise<void> {
  const ask = await desk.asks.find(project, id)
  if (ask === undefined || ask.isDone) return
  const channel = channelNamed(desk, project)
  const known = await contextOfUser(desk, project, { user: ask.user, place: ask })
  if (known === undefined) {
    await channel.whisper(ask, ask.user, NOT_LET_IN)
    return desk.asks.finish(project, id, desk.clock.now().toISOString())
  }
  const answering = { desk, project, ask, channel, signal, ...known }
  const posted = await postOnce(answering)
  try {
    const turn = await turnOf(answering, posted)
    await deliver(answering, posted, turn)
  } catch (thrown) {
    if (signal.aborted || !(isLastTry || isFinal(thrown))) throw thrown
    await channel.change(ask, posted, { ...NOTHING, markdown: toAppError(thrown).line })
  }
  await desk.asks.finish(project, id, desk.clock.now().toISOString())
}

const NOTHING: ChannelPost = { markdown: '', foot: [], buttons: [], about: '' }

/** True for an error that a retry would repeat, raised by Ken and not by the channel. */
const isFinal = (thrown: unknown): boolean =>
  thrown instanceof AppError &&
  ['forbidden', 'invalid_input', 'not_found'].includes(thrown.code) &&
  thrown.details?.['error'] === undefined

/** Posts the message that will contain the answer; a replica that died here may already have posted it. */
async function postOnce({ desk, project, ask, channel, person }: Answering): Promise<string> {
  if (ask.posted !== undefined) return ask.posted
  await desk.asks.note(project, ask.id, { isPosting: true, person })
  const post = { ...NOTHING, markdown: WORKING, buttons: ['stop' as const], about: ask.id }
  const posted = await channel.post(ask, post, { key: ask.id, since: timeOf(ask), mayBeThere: ask.isPosting })
  await desk.asks.note(project, ask.id, { posted })
  return posted
}

interface Turn extends ShownAnswer {
  readonly chat: string
  readonly answer: string
}

/** The existing answer of the chat, or a new one; an interrupted one is requested again in its place. */
async function turnOf(answering: Answering, posted: string): Promise<Turn> {
  const { desk, ask, ctx } = answering
  const { chat, answer } = ask
  if (chat === undefined || answer === undefined) return askAnew(answering, posted, {})
  // The replica writing the answer may be alive; if not, the end is recorded here.
  await untilFree(answering, chat)
  const told = await shownAnswer(desk, ctx, { chat, answer })
  if (told === undefined) return askAnew(answering, posted, {})
  const isToBeAsked = told.end === undefined || told.end === 'cut' || (told.end === 'stopped' && !ask.isStopped)
  return isToBeAsked ? askAnew(answering, posted, { chat, instead: answer }) : { ...told, chat, answer }
}

/** Waits until no answer is being written in a chat; ends an answer if its writer died. */
async function untilFree({ desk, ctx, signal }: Answering, chat: string): Promise<void> {
  await run(desk, { ...ctx, signal, hear: () => undefined }, 'chat_follow', { chat }).catch((thrown: unknown) => {
    // Deleted meanwhile: there is nothing to wait for.
    if (!isCode(thrown, 'conflict') && !isCode(thrown, 'not_found')) throw thrown
  })
}

const isCode = (thrown: unknown, code: ErrorCode): boolean => thrown instanceof AppError && thrown.code === code

async function askAnew(
  answering: Answering,
  posted: string,
  before: { readonly chat?: string; readonly instead?: string },
): Promise<Turn> {
  const { desk, project, ask, channel, ctx, person, signal } = answering
  const chat = before.chat ?? (await openChat(desk, ctx, await desk.asks.chatOf(project, ask, person)))
  const question = chat === undefined && ask.isReply ? await withThread(channel, ask) : ask.words
  const post = { ...NOTHING, buttons: ['stop' as const], about: ask.id }
  let open: string | undefined
  const live = openLivePost((markdown) =>
    channel.change(ask, posted, { ...post, markdown, ...(open !== undefined && { open }) }, { isSoonOld: true }),
  )
  let noted: Promise<void> = Promise.resolve()
  const hear = (event: ChatEvent): void => {
    if (event.type === 'message' && event.message.role === 'assistant') {
      const { chat: where, id } = event.message
      open = addressOf(answering, where)
      noted = desk.asks.note(project, ask.id, { chat: where, answer: id }).catch(() => {})
    } else if ('message' in event && event.type !== 'message') live.hear(event)
  }
  const asked = { question, ...(chat !== undefined && { chat }), ...(before.instead && { instead: before.instead }) }
  const askNow = () => run(desk, { ...ctx, signal, hear }, 'ask', asked)
  const output = await askNow()
    .catch(async (thrown: unknown) => {
      if (chat === undefined || !isCode(thrown, 'conflict')) throw thrown
      await untilFree(answering, chat)
      return askNow()
    })
    .finally(() => live.close())
  await noted
  if (signal.aborted) throw new AppError('stopped', 'This replica is stopping; another one continues the answer.')
  const turn = { chat: String(output['chat']), answer: String(output['message']) }
  const told = await shownAnswer(desk, ctx, turn)
  if (told === undefined) throw new AppError('unavailable', 'The answer is not in its chat yet.')
  // A person stopped the answer, possibly in the web app: it is not requested again if Slack does not accept it at
  // once.
  await desk.asks.note(project, ask.id, { ...turn, isStopped: told.end === 'stopped' })
  return { ...told, ...turn }
}

/** Undefined if there is no chat to continue. */
async function openChat(desk: ChannelDesk, ctx: Offered, chat: string | undefined): Promise<string | undefined> {
  if (chat === undefined) return undefined
  const shown = await run(desk, ctx, 'chat_show', { chat, last: 1 }).catch(() => undefined)
  return shown === undefined || shown['chat'].deleted_at !== undefined ? undefined : chat
}

const MOST_SAID = 20
const LONGEST_CONTEXT = 4_000

/**
 * A question in other people's thread: their messages are included as quoted text, not as instructions to the analyst.
 */
async function withThread(channel: ChatChannel, ask: TakenAsk): Promise<string> {
  const said = await channel.said(ask, timeOf(ask), MOST_SAID).catch(() => [])
  const text = said.map(({ by, words }) => `${by}: ${words}`).join('\n')
  if (text === '') return ask.words
  const label = { origin: 'channel' as const, trust: 'untrusted' as const }
  return `${ask.words}\n\n${enveloped(text.slice(-LONGEST_CONTEXT), label, { what: 'the thread so far' })}`
}

async function deliver(answering: Answering, posted: string, turn: Turn): Promise<void> {
  const { desk, project, ask, channel, ctx } = answering
  const { chat, parts } = turn
  const open = addressOf(answering, chat)
  await channel.change(ask, posted, await answerPost(desk, ctx, turn, { chat, open, about: ask.id }))
  let { files } = (await desk.asks.find(project, ask.id)) ?? ask
  for (const file of await answerFiles(desk, ctx, { chat, parts })) {
    const known = files[file.name]
    if (known?.isThere) continue
    const note = (id: string, isThere: boolean): Promise<void> => {
      files = { ...files, [file.name]: { id, isThere } }
      return desk.asks.note(project, ask.id, { files })
    }
    const how = { since: timeOf(ask), begun: known?.id, begin: (id: string) => note(id, false) }
    // A workspace that accepts no files still gets the answer.
    await channel.share(ask, file, how).catch((thrown: unknown) => {
      if (!isCode(thrown, 'forbidden')) throw thrown
    })
    await note(files[file.name]?.id ?? '', true)
  }
}

const addressOf = ({ desk, project }: Answering, chat: string): string => `${desk.publicUrl}/${project}/ask/${chat}`

const timeOf = ({ id }: Pick<TakenAsk, 'id'>): string => id.slice(id.lastIndexOf('/') + 1)

const MOST_CHARTS = 4
const WIDTH = 960
const MOST_ROWS = 1_000
const LARGEST_CSV = 256 * 1024

/** Attachments of an answer: its charts as PNG, and the rows of its last query if they are few. */
async function answerFiles(
  desk: ChannelDesk,
  ctx: Given<'analyst'>,
  { chat, parts }: { readonly chat: string; readonly parts: readonly ChatPart[] },
): Promise<readonly ChannelFile[]> {
  const resultOf = async (query: string): Promise<Result | undefined> =>
    (await ifThere(run(desk, ctx, 'chat_result', { chat, query_id: query, limit: 5_000 }))) as Result | undefined
  const files: ChannelFile[] = []
  for (const [at, chart] of turnAnswer(parts).charts.slice(0, MOST_CHARTS).entries()) {
    const data = await resultOf(chart.query)
    if (data === undefined) continue
    const plotted = plotChart(chart, data)
    if ('faults' in plotted) continue
    const size = { width: WIDTH, height: chartHeight(plotted.plot), theme: 'light' as const }
    const bytes = await ifThere(ctx.charts().then((painter) => painter.png(chart, data, size)))
    if (bytes !== undefined)
      files.push({ name: `chart-${at + 1}.png`, title: visibleLine(chart.title) || 'Chart', bytes })
  }
  const query = lastQuery(parts)
  const result = query === undefined ? undefined : await resultOf(query)
  if (result === undefined || result.cut || result.row_count > MOST_ROWS || result.rows.length < result.row_count)
    return files
  // Formatted for a spreadsheet, where people open it.
  const bytes = new TextEncoder().encode(csvText(result, { spreadsheet: true }))
  if (bytes.length <= LARGEST_CSV) files.push({ name: 'result.csv', title: 'Result', bytes })
  return files
}

interface Result extends ChartData {
  readonly row_count: number
  readonly cut: boolean
}

function lastQuery(parts: readonly ChatPart[]): string | undefined {
  for (const part of parts.toReversed())
    if (part.kind === 'result' && part.tool === 'execute_sql' && !part.failed) {
      const query = (part.output as { readonly query_id?: unknown } | undefined)?.query_id
      if (typeof query === 'string') return query
    }
  return undefined
}

interface LivePost {
  hear(event: ChatEvent): void
  /** Stops updates and waits for pending ones, so that they do not overwrite the final answer. */
  close(): Promise<void>
}

// Slack accepts about fifty changes a minute for a whole workspace.
const EVERY_MS = 1_500

/** Shows the progress of an answer at intervals. Ignores failures: the next update or the answer follows soon. */
function openLivePost(show: (markdown: string) => Promise<void>, every = EVERY_MS): LivePost {
  const parts = new Map<string, ChatPart>()
  let shown = WORKING
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const showNow = async (): Promise<void> => {
    const markdown = soFar([...parts.values()])
    if (markdown !== shown) await show((shown = markdown)).catch(() => {})
    timer = undefined
    if (!isClosed && soFar([...parts.values()]) !== shown) later()
  }
  const later = (): void => {
    timer ??= setTimeout(() => void (underWay = showNow()), every)
  }
  return {
    hear(event) {
      if (event.type !== 'part' && event.type !== 'more') return
      const [place] = event.id.split('.')
      const before = parts.get(place!)
      if (event.type === 'part') parts.set(place!, event.part)
      else if (before !== undefined && 'text' in before)
        parts.set(place!, { ...before, text: before.text + event.text } as ChatPart)
      if (!isClosed) later()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await underWay
    },
  }
}

/** The text of an answer so far, or its current step. */
function soFar(parts: readonly ChatPart[]): string {
  const last = parts.at(-1)
  if (last?.kind === 'approval') return '_Waits for your yes: open this chat in Ken._'
  const said = answerText(parts)
  if (said !== '') return `${said} …`
  const steps = parts.filter((part) => part.kind === 'call')
  return steps.length === 0 ? WORKING : `_Looking into it, step ${steps.length} …_`
}

const WORKING = '_Looking into it …_'
