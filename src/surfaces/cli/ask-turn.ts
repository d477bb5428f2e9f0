import type { ChartSpec } from '../../analyst/domain/chart/chart.ts'
import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import type { Approval } from '../../analyst/domain/chat/part.ts'
import { withoutPerson } from '../../analyst/operations/without-person.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import type { Answer } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import type { Context } from '../../operations/context.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { argumentLines } from './ask-lines.ts'
import { openAskScreen, type Waiting } from './ask-screen.ts'
import type { LiveLine } from './live-line.ts'
import type { CommandManner, Terminal } from './run.ts'

export interface AskDesk {
  readonly ctx: Context
  readonly terminal: Terminal
  readonly live: LiveLine
  /** Reads a line from the person; undefined if they left. */
  line(prompt: string): Promise<string | undefined>
}

type Input = Readonly<Record<string, unknown>>

/** Runs an operation that reports on a chat, and shows its events as they arrive. */
export async function showTurn(
  operation: RegisteredOperation,
  input: Input,
  desk: AskDesk,
  { echoes = false }: { readonly echoes?: boolean } = {},
): Promise<Answer> {
  const { ctx, terminal, live } = desk
  const view = terminal.view(ctx.clock.now())
  const screen = openAskScreen({
    out: (text) => terminal.out(text),
    live,
    view,
    now: () => ctx.clock.now().getTime(),
    draw: (chart, chat) => drawChart(ctx, { chart, chat }, view),
    approve: (waiting, chat) => approve(waiting, chat, desk),
    echoes,
  })
  live.draw('…')
  try {
    return await call({ ...ctx, hear: (event) => screen.hear(event) }, operation, input)
  } finally {
    await screen.shown()
    live.clear()
  }
}

/**
 * Asks a question and shows its answer, and the analyst's follow-up questions while the person answers. For a followed
 * chat, also shows earlier messages.
 */
export async function answerAll(operation: RegisteredOperation, input: Input, desk: AskDesk): Promise<Answer> {
  for (let given = input; ;) {
    const answer = await showTurn(operation, given, desk, { echoes: operation.turn === 'follows' })
    const { end, question, options, chat } = answer.output as Outcome
    if (end === 'stopped') desk.terminal.err(`Stopped. ${GO_ON}`)
    if (end !== 'asked' || question === undefined) return answer
    const said = (await desk.line('> '))?.trim() ?? ''
    if (said === '') {
      desk.terminal.err(GO_ON)
      return answer
    }
    given = { ...input, question: chosen(said, options ?? []), chat, continue: false, images: undefined }
  }
}

interface Outcome {
  readonly end?: string
  readonly question?: string
  readonly options?: readonly string[]
  readonly chat?: string
}

const GO_ON = 'The chat goes on with `ken ask --continue "…"`.'

/** Prints every event as a line of JSON, then the answer. Cannot prompt. */
export const tellEvents =
  (out: (line: string) => void): NonNullable<CommandManner['call']> =>
  async (ctx, operation, input) => {
    const refuse = withoutPerson(ctx)
    const hear = (event: ChatEvent): void => {
      out(JSON.stringify(visibleDeep(event)))
      if (operation.turn === 'begins') void refuse(event)
    }
    const answer = await call({ ...ctx, hear }, operation, input)
    out(JSON.stringify({ type: 'answer', answer: answer.output }))
    return answer
  }

const ANSWERS: Readonly<Record<string, Approval>> = {
  y: 'once',
  yes: 'once',
  o: 'once',
  once: 'once',
  c: 'chat',
  chat: 'chat',
  n: 'no',
  no: 'no',
}

/** An accidental Return is not a yes. */
async function approve(waiting: Waiting, chat: string, { ctx, line, terminal }: AskDesk): Promise<Approval> {
  for (;;) {
    const said = (
      await line(`Allow it? y: this once,${waiting.own ? '' : ' c: in this chat,'} n: no, a: show all of it > `)
    )
      ?.trim()
      .toLowerCase()
    const answer = said === undefined ? 'no' : ANSWERS[said]
    if (said === 'a' || said === 'all') terminal.out(argumentLines(waiting.input).join('\n'))
    if (answer === undefined) continue
    await ctx.turns.settle(chat, waiting.call, answer)
    return answer
  }
}

/** The option with the typed number, otherwise the typed text. */
export const chosen = (said: string, options: readonly string[]): string =>
  /^\d{1,2}$/.test(said.trim()) ? (options[Number(said.trim()) - 1] ?? said) : said

async function drawChart(
  ctx: Context,
  { chart, chat }: { readonly chart: ChartSpec; readonly chat: string },
  view: View,
): Promise<string> {
  const result = await (await ctx.analystState()).queries.find(chat, chart.query)
  if (result === undefined) throw new AppError('not_found', `The result of ${chart.query} was not saved.`)
  const [{ plotChart }, { terminalChart }] = await Promise.all([
    import('../../analyst/domain/chart/plot-chart.ts'),
    import('../../analyst/domain/chart/terminal-chart.ts'),
  ])
  const plotted = plotChart(chart, result)
  if ('faults' in plotted) throw new AppError('invalid_input', plotted.faults.join(' '))
  return terminalChart(plotted.plot, view).join('\n')
}
