import type { ChartSpec } from '../../analyst/domain/chart/chart.ts'
import type { ChatMessage } from '../../analyst/domain/chat/chat.ts'
import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import type { Approval, ChatPart } from '../../analyst/domain/chat/part.ts'
import { errorLine } from '../../kernel/domain/errors.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { spansOf, type Styled } from '../../kernel/domain/view/styled.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { paragraph } from '../../kernel/domain/view/width.ts'
import { openAnswerLines } from './answer-lines.ts'
import { citationLines, costLine, injectedLine, optionLines, questionLines } from './ask-lines.ts'
import { openAskSteps, type AskSteps } from './ask-steps.ts'
import type { LiveLine } from './live-line.ts'

export type Waiting = Extract<ChatPart, { kind: 'approval' }>

export interface AskScreenParts {
  out(text: Styled): void
  readonly live: LiveLine
  readonly view: View
  /** Milliseconds, for the duration of a step. */
  now(): number
  /** A chart of a chat as text. */
  draw(chart: ChartSpec, chat: string): Promise<string>
  /** The person's decision on a pending call; the arguments are already on the screen. */
  approve(waiting: Waiting, chat: string): Promise<Approval>
  /** Whether to show the user's messages too, for later readers. */
  readonly echoes: boolean
}

export interface AskScreen {
  hear(event: ChatEvent): void
  /** Resolves when all received events are on the screen. */
  shown(): Promise<void>
}

/** Shows a chat with the analyst on a terminal as it grows. */
export function openAskScreen(parts: AskScreenParts): AskScreen {
  const { live, view, echoes } = parts
  const messages = new Map<string, ChatMessage>()
  let isBlank = false
  const write = (text: string): void => {
    live.clear()
    parts.out(spansOf(text))
    isBlank = text === '' || text.endsWith('\n')
  }
  const steps = openAskSteps({ live, view, write, now: parts.now })
  const prose = openProse({ live, view, write })
  const desk: ScreenDesk = { ...parts, steps, write }
  let next: readonly string[] = []
  const show = async (event: ChatEvent): Promise<void> => {
    if (event.type === 'message') messages.set(event.message.id, event.message)
    if (event.type === 'message' || event.type === 'title') return
    const message = messages.get(event.message)
    if (message?.role === 'user') return echoes ? showOwn(event, desk) : undefined
    if (event.type === 'more') return prose.more(event.text)
    if (event.type === 'part' && event.part.kind === 'text') {
      steps.fold()
      if (!prose.isOpen()) write('')
      return prose.say(event.part.text)
    }
    prose.end()
    // Follow-up questions come after everything else about the answer.
    if (event.type === 'part' && event.part.kind === 'follow_ups') return void (next = event.part.questions)
    if (event.type === 'part') return showPart(event.part, message?.chat ?? '', desk)
    steps.fold()
    if (next.length > 0 && !isBlank) write('')
    if (next.length > 0) write(optionLines({ question: 'Ask next:', options: next }, view))
    next = []
    write(view.mark('dim', paragraph(costLine(message?.model, event.end), view)))
  }
  let showing: Promise<void> = Promise.resolve()
  return {
    hear(event) {
      // In order: a chart is drawn, or a person prompted, before later events are shown.
      showing = showing.then(() => show(event)).catch(() => {})
    },
    shown: () => showing,
  }
}

interface ScreenDesk extends AskScreenParts {
  readonly steps: AskSteps
  write(text: string): void
}

/** The text of an answer: completed lines stay, the last one grows on the live line. */
function openProse({ live, view, write }: Pick<ScreenDesk, 'live' | 'view' | 'write'>) {
  const lines = openAnswerLines(view)
  let isOpen = false
  const say = (text: string): void => {
    isOpen = true
    for (const line of lines.take(text)) write(line)
    live.draw(lines.partial())
  }
  return {
    say,
    isOpen: () => isOpen,
    /** Appends to the open text; further reasoning is not shown. */
    more(text: string): void {
      if (isOpen) say(text)
    },
    end(): void {
      if (!isOpen) return
      isOpen = false
      for (const line of [...lines.end(), '']) write(line)
    },
  }
}

async function showPart(part: ChatPart, chat: string, desk: ScreenDesk): Promise<void> {
  const { steps, live, view, write } = desk
  switch (part.kind) {
    case 'reasoning':
      return live.draw('… thinking')
    case 'call':
      return steps.call(part)
    case 'result':
      return steps.result(part)
    default:
      steps.fold()
  }
  switch (part.kind) {
    case 'approval':
      write(questionLines(part, view))
      await desk.approve(part, chat)
      return
    case 'chart': {
      live.draw('… drawing a chart')
      const failed = (): string =>
        view.mark('warning', `The chart "${visible(part.chart.title)}" cannot be drawn here.`)
      return write(`\n${await desk.draw(part.chart, chat).catch(failed)}\n`)
    }
    case 'question':
      return write(optionLines(part, view))
    case 'citations':
      return citationLines(part.citations, view).forEach(write)
    case 'notice':
      return write(view.mark('warning', paragraph(visible(part.text), view)))
    case 'failure':
      return write(view.mark('bad', paragraph(visible(errorLine(part)), view)))
    default: {
      const quiet = quietLine(part)
      if (quiet !== '') write(view.mark('dim', paragraph(`· ${visible(quiet)}`, view)))
    }
  }
}

/** Parts that are shown as one dim line. */
function quietLine(part: ChatPart): string {
  switch (part.kind) {
    case 'image':
      return 'an image'
    case 'injected':
      return injectedLine(part.injected)
    case 'story':
      return `story ${part.story}, version ${part.version}`
    case 'approved':
      return part.answer === 'no' ? 'not allowed' : part.answer === 'chat' ? 'allowed in this chat' : 'allowed once'
    case 'remembered':
      return `remembered: ${part.content}`
    case 'compaction':
      return 'what was said before was summarised'
    default:
      return ''
  }
}

function showOwn(event: ChatEvent, { view, write }: ScreenDesk): void {
  if (event.type === 'part' && event.part.kind === 'text')
    write(view.mark('title', visible(event.part.text).replaceAll(/^/gm, '> ')))
}
