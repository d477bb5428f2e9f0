import { errorLine } from '../kernel/domain/errors.ts'
import { NO_USAGE } from '../kernel/domain/model-usage.ts'
import { inBytes, plural } from '../kernel/domain/text.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import { dated } from '../kernel/domain/view/age.ts'
import { PLAIN, type View } from '../kernel/domain/view/view.ts'
import { type Chat, type ChatMessage, type EndReason } from './domain/chat/chat.ts'
import { inDollars } from './domain/chat/in-dollars.ts'
import type { ChatPart } from './domain/chat/part.ts'
import { answerText } from './domain/chat/turn-answer.ts'
import { renderCitations } from './domain/citation/render-citations.ts'
import type { ReadLog } from './log-for-readers.ts'

export interface ToldMessage extends Omit<ChatMessage, 'chat' | 'superseded'> {
  readonly parts: readonly ToldPart[]
}

/** A part of a transcript. An image is described by its size: its bytes are not useful here. */
export type ToldPart =
  | (Exclude<ChatPart, { kind: 'image' }> & { readonly number: number })
  | { readonly kind: 'image'; readonly number: number; readonly mediaType: string; readonly bytes: number }

/** All messages and steps of a chat, or of its last messages. */
export async function readTranscript(
  { log }: { readonly log: ReadLog },
  chat: string,
  last = Number.POSITIVE_INFINITY,
): Promise<readonly ToldMessage[]> {
  if (last === 0) return []
  const [messages, parts] = await Promise.all([log.messages(chat), log.parts(chat, 0)])
  const told = new Map<string, ToldPart[]>()
  for (const { number, message, part } of parts) {
    const own = told.get(message) ?? []
    told.set(message, own)
    own.push(
      part.kind === 'image'
        ? { kind: 'image', number, mediaType: part.mediaType, bytes: Math.floor((part.base64.length * 3) / 4) }
        : { ...part, number },
    )
  }
  return messages.slice(Math.max(0, messages.length - last)).map(({ id, role, at, model, end }) => ({
    id,
    role,
    at,
    ...(model !== undefined && { model }),
    ...(end !== undefined && { end }),
    parts: told.get(id) ?? [],
  }))
}

const ENDS: Readonly<Record<EndReason, string>> = {
  answered: '',
  asked: '',
  stopped: 'Stopped.',
  capped: 'A limit was reached.',
  failed: 'It failed.',
  cut: 'Cut off by a crash.',
}

/** A chat as Markdown, with the steps of an answer in one line unless all are requested. */
export function transcript(
  chat: Pick<Chat, 'title' | 'createdAt'>,
  messages: readonly ToldMessage[],
  view: View = PLAIN,
): string {
  return [
    view.mark('title', `# ${chat.title}`),
    ...messages.flatMap((message) => [heading(message, view), ...body(message, view)]),
  ].join('\n\n')
}

function heading({ role, at, model, end }: ToldMessage, view: View): string {
  const cost = (end?.usage ?? NO_USAGE).cost
  const facts = [
    role === 'assistant' && model !== undefined ? model : '',
    dated(at, view),
    cost === undefined || cost === 0 ? '' : inDollars(cost),
  ].filter((fact) => fact !== '')
  const who = role === 'assistant' ? 'Analyst' : model === undefined ? 'You' : visibleLine(`An agent (${model})`)
  return view.mark('title', `## ${who}`) + view.mark('dim', ` · ${facts.join(' · ')}`)
}

function body({ role, parts, end }: ToldMessage, view: View): string[] {
  const cited = parts.flatMap((part) => (part.kind === 'citations' ? part.citations : []))
  const text =
    role === 'user' ? texts(parts) : renderCitations(answerText(parts as unknown as readonly ChatPart[]), cited, view)
  const steps = view.verbose ? parts.flatMap((part) => stepLine(part)) : foldedSteps(parts)
  const lines = [
    steps.length === 0 ? '' : view.mark('dim', steps.join('\n')),
    text,
    ...parts.flatMap((part) => besideText(part)),
    end === undefined
      ? role === 'user'
        ? ''
        : view.mark('dim', '(Not ended.)')
      : view.mark('warning', ENDS[end.reason]),
  ]
  return lines.filter((line) => line !== '')
}

const texts = (parts: readonly ToldPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')

function foldedSteps(parts: readonly ToldPart[]): string[] {
  const calls = parts.filter((part) => part.kind === 'call')
  if (calls.length === 0) return []
  const tools = new Map<string, number>()
  for (const { tool } of calls) tools.set(tool, (tools.get(tool) ?? 0) + 1)
  const names = [...tools].map(([tool, times]) => (times === 1 ? tool : `${tool} ×${times}`))
  return [`(${plural(calls.length, 'step')}: ${names.join(', ')})`]
}

function stepLine(part: ToldPart): string[] {
  switch (part.kind) {
    case 'call':
      return [`→ ${part.tool} ${JSON.stringify(part.input)}`]
    case 'result':
      return [`${part.failed ? '✗' : '←'} ${part.tool}: ${part.text}`]
    case 'reasoning':
      return [`… ${part.text}`]
    default:
      return []
  }
}

function besideText(part: ToldPart): string[] {
  switch (part.kind) {
    case 'image':
      return [`[image: ${part.mediaType}, ${inBytes(part.bytes)}]`]
    case 'chart':
      return [`[chart: ${part.chart.title} (${part.chart.kind} of ${part.chart.query})]`]
    case 'story':
      return [`[story ${part.story}, version ${part.version}]`]
    case 'question':
      return [[part.question, ...part.options.map((option, n) => `${n + 1}. ${option}`)].join('\n')]
    case 'follow_ups':
      return [['Next:', ...part.questions.map((question) => `- ${question}`)].join('\n')]
    case 'remembered':
      return [`[remembered: ${part.content}]`]
    case 'compaction':
      return ['[What came before was put in fewer words for the model.]']
    case 'notice':
      return [`[${part.text}]`]
    case 'failure':
      return [`[${errorLine(part)}]`]
    default:
      return []
  }
}
