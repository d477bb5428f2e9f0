import { chatNamed } from '../../analyst/operations/chat-named.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { visible, visibleLine } from '../../kernel/domain/trust/visible.ts'
import { call } from '../../operations/call.ts'
import { ASK_PROMPT_HELP, type AskCommand } from './ask-commands.ts'
import type { AskPromptDesk, LastAnswer } from './ask-prompt.ts'
import { writeAnswer } from './run.ts'

/** Executes a command; false if the session is over. */
export async function obey(command: AskCommand, desk: AskPromptDesk): Promise<boolean> {
  const { parts, sitting } = desk
  const { terminal } = parts
  switch (command.kind) {
    case 'quit':
      return false
    case 'help':
      terminal.out(ASK_PROMPT_HELP)
      break
    case 'new':
      Object.assign(sitting, { chat: undefined, last: undefined })
      terminal.out('A new chat begins with the next question.')
      break
    case 'chat':
      await desk.run(async () => {
        const { id, title } = await chatNamed(parts.ctx, command.id)
        Object.assign(sitting, { chat: id, last: undefined })
        terminal.out(`The chat "${visibleLine(title)}" goes on.`)
      })
      break
    case 'model':
      await desk.run(async () => {
        // An unusable name fails now, not with the next question.
        if (command.name !== undefined) await parts.ctx.models.answerer(command.name)
        sitting.model = command.name
        terminal.out(
          command.name === undefined ? 'The model of the settings answers.' : `${visibleLine(command.name)} answers.`,
        )
      })
      break
    case 'sql': {
      const sql = sitting.last?.sql ?? []
      terminal.out(sql.length === 0 ? 'No SQL was run in this chat yet.' : visible(sql.join(';\n\n')))
      break
    }
    case 'chats':
      await answer('chats_list', {}, desk)
      break
    case 'vote':
      await voteOn(command, desk)
      break
    case 'chart':
      await desk.run(() => writeChart(command.path, desk))
      break
    default:
      terminal.err(`ken: ${command.problem}`)
  }
  return true
}

async function answer(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { parts, run }: AskPromptDesk,
): Promise<void> {
  await run(async (signal) => {
    const operation = await parts.operation(name)
    const told = await call({ ...parts.ctx, signal }, operation, input)
    const code = Math.min(1, operation.exit(told.output as never))
    writeAnswer(operation, told, { code, terminal: parts.terminal, now: parts.ctx.clock.now() })
  })
}

async function voteOn({ vote, reason }: Extract<AskCommand, { kind: 'vote' }>, desk: AskPromptDesk): Promise<void> {
  const { last } = desk.sitting
  if (last === undefined) return desk.parts.terminal.err('ken: Ask something first; the last answer is voted on.')
  await answer('feedback', { message: last.message, vote, ...(reason && { reason }) }, desk)
}

const SIZE = { width: 1_200, height: 700, theme: 'light' } as const

async function writeChart(path: string, { parts, sitting }: AskPromptDesk): Promise<void> {
  const { ctx, terminal } = parts
  const { chart, chat } = sitting.last ?? ({ chart: undefined, chat: '' } satisfies Partial<LastAnswer>)
  if (chart === undefined) throw new AppError('not_found', noneYet('charts in this chat'), { hint: 'Ask for one.' })
  const kind = /\.(png|svg)$/i.exec(path)?.[1]?.toLowerCase()
  if (kind === undefined) throw new AppError('invalid_input', 'A chart file must end in .png or .svg.')
  const result = await (await ctx.analystState()).queries.find(chat, chart.query)
  if (result === undefined) throw new AppError('not_found', `The result of ${chart.query} has expired.`)
  const painter = await ctx.charts()
  const picture = kind === 'png' ? await painter.png(chart, result, SIZE) : await painter.svg(chart, result, SIZE)
  const file = ctx.pathNamed(path)
  await ctx.files.write(file, picture, { replace: false })
  terminal.out(`Written to ${file}.`)
}
