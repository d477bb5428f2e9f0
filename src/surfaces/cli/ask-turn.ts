import type { ChartSpec } from '../../core/chart/chart.ts'
import type { Approval } from '../../core/chat/part.ts'
import { AppError } from '../../core/errors.ts'
import type { View } from '../../core/view/view.ts'
import type { Answer } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import type { Context } from '../../ports/context.ts'
import { openAskScreen } from './ask-screen.ts'
import type { LiveLine } from './live-line.ts'
import type { Terminal } from './run.ts'

export interface AskDesk {
  readonly ctx: Context
  readonly terminal: Terminal
  readonly live: LiveLine
  /** Takes a line from the person; undefined when they left. */
  line(prompt: string): Promise<string | undefined>
}

type Input = Readonly<Record<string, unknown>>

/** Runs an operation that tells of a chat, and shows what it tells as it comes. */
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
    approve: (waiting) => approve(waiting, desk),
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

const ANSWERS: Readonly<Record<string, Approval>> = { y: 'once', yes: 'once', o: 'once', once: 'once', c: 'chat', chat: 'chat', n: 'no', no: 'no' }

/** A hasty Return is no yes. */
async function approve(waiting: string, { ctx, line }: AskDesk): Promise<Approval> {
  for (;;) {
    const said = await line('Allow it? y: this once, c: in this chat, n: no > ')
    const answer = said === undefined ? 'no' : ANSWERS[said.trim().toLowerCase()]
    if (answer === undefined) continue
    ctx.turns.settle(waiting, answer)
    return answer
  }
}

/** By a number where there are options, else in the person's own words. */
export const chosen = (said: string, options: readonly string[]): string =>
  /^\d{1,2}$/.test(said.trim()) ? (options[Number(said.trim()) - 1] ?? said) : said

async function drawChart(
  ctx: Context,
  { chart, chat }: { readonly chart: ChartSpec; readonly chat: string },
  view: View,
): Promise<string> {
  const result = await (await ctx.analystState()).queries.find(chat, chart.query)
  if (result === undefined) throw new AppError('not_found', `The result of ${chart.query} is not kept.`)
  const { terminalChart } = await import('../../core/chart/terminal-chart.ts')
  return terminalChart(chart, result, view)
}
