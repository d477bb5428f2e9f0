import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { withoutPerson } from '../analyst/operations/without-person.ts'
import { AppError, type ErrorCode } from '../kernel/domain/errors.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Answer } from '../operations/answer.ts'
import { call } from '../operations/call.ts'
import { REGISTRY, type RegisteredOperation } from '../operations/registry.ts'
import { runAskPrompt } from '../surfaces/cli/ask-prompt.ts'
import { answerAll, tellEvents } from '../surfaces/cli/ask-turn.ts'
import { openLiveLine } from '../surfaces/cli/live-line.ts'
import type { Progress } from '../surfaces/cli/progress.ts'
import { parseArguments, type CommandManner, type Terminal } from '../surfaces/cli/run.ts'
import { openKen } from './open.ts'
import { openPromptHistory } from './prompt-history.ts'
import type { Environment } from './settings.ts'

interface Desk {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly progress: Progress
}

interface AskManner extends CommandManner {
  /** The arguments of the operation. */
  readonly rest: readonly string[]
  /** Starts the interactive prompt, as there is no question yet. */
  readonly isSitting: boolean
}

/**
 * Determines how `ken ask` and `ken chats follow` run: streamed at a terminal or as events, otherwise printed at the
 * end.
 */
export function mannerOf(operation: RegisteredOperation, words: readonly string[], { terminal }: Desk): AskManner {
  const rest = words.filter((word) => word !== '--events' && word !== '--stream')
  const isEvents = rest.length < words.length
  const isJson = rest.includes('--json')
  const isScreen = process.stdout.isTTY && !isJson && !isEvents
  const input = operation.turn === 'begins' ? { input: withPiped(terminal) } : {}
  const common = { rest, isSitting: isScreen && process.stdin.isTTY && isOpen(operation, rest, terminal), ...input }
  if (isEvents) return { ...common, isShown: true, call: tellEvents((line) => terminal.out(line)) }
  if (!isScreen)
    return operation.name === 'ask'
      ? {
          ...common,
          call: async (ctx, op, given) => {
            const answer = await call({ ...ctx, hear: withoutPerson(ctx) }, op, given)
            return isJson ? answer : orFailure(answer)
          },
        }
      : common
  const live = openLiveLine(process.stdout)
  return {
    ...common,
    isShown: true,
    call: (ctx, op, given) =>
      answerAll(op, given, { ctx, terminal, live, line: process.stdin.isTTY ? lineAt : noLine }),
  }
}

/** Throws the failure of an answer without text, so that it is reported like every failure. */
function orFailure(answer: Answer): Answer {
  const { text, failure } = answer.output as {
    text?: string
    failure?: { code: ErrorCode; message: string; hint?: string }
  }
  if (failure === undefined || text !== '') return answer
  throw new AppError(failure.code, failure.message, failure.hint === undefined ? {} : { hint: failure.hint })
}

/** Whether this is `ken ask` at a terminal without a question. */
function isOpen(operation: RegisteredOperation, rest: readonly string[], terminal: Terminal): boolean {
  if (operation.name !== 'ask') return false
  try {
    return parseArguments(operation, rest, { terminal, typed: 'ask' })['question'] === undefined
  } catch {
    // The command itself reports an invalid command line.
    return false
  }
}

/** Appends piped input to the question. */
const withPiped =
  (terminal: Terminal): NonNullable<CommandManner['input']> =>
  async (given) => {
    const piped = await pipedText(process.stdin, {
      late: () => terminal.err('ken: Nothing came on standard input; the question is asked without it.'),
    })
    const question = [given['question'], piped].filter((text) => text !== undefined && text !== '').join('\n\n')
    return question === '' ? given : { ...given, question }
  }

const noLine = async (): Promise<undefined> => undefined

/** One line of input during a run; undefined for Ctrl-D. */
function lineAt(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true })
  return new Promise((said, failed) => {
    lines.question(prompt, (line) => {
      said(line)
      lines.close()
    })
    lines.on('SIGINT', () => {
      failed(new AppError('stopped', 'Stopped.'))
      lines.close()
    })
    lines.on('close', () => said(undefined))
  })
}

/** The `ken ask` prompt, with chat and model from its command line. */
export async function runAskRepl(
  operation: RegisteredOperation,
  words: readonly string[],
  { terminal, environment, progress }: Desk,
): Promise<number> {
  const { chat, continue: isLast, model, images } = parseArguments(operation, words, { terminal, typed: 'ask' })
  if (images !== undefined)
    throw new AppError('invalid_input', 'Images need a question.', {
      hint: 'E.g. `ken ask "What is this?" --images a.png`.',
    })
  const ken = openKen(environment, (message) => terminal.err(`ken: ${message}`))
  try {
    const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd(), progress: progress.say })
    return await runAskPrompt(
      {
        ctx,
        terminal,
        input: process.stdin,
        output: process.stdout,
        history: openPromptHistory(ken.home, 'ask-history'),
        operation: (name) => REGISTRY.find((entry) => entry.name === name)!.load(),
      },
      { chat: isLast === true ? 'last' : (chat as string | undefined), model: model as string | undefined },
    )
  } finally {
    progress.clear()
    await ken.close()
  }
}

const LARGEST = 1024 * 1024
// In milliseconds; a program started without a terminal may have an open input that never gets data.
const PATIENCE = 3_000

/** Piped input; empty at a terminal, and if nothing arrives for a while without an end. */
async function pipedText(
  stdin: NodeJS.ReadStream & { readonly fd: number },
  { patience = PATIENCE, late = () => {} }: { readonly patience?: number; late?(): void } = {},
): Promise<string> {
  if (stdin.isTTY || !isReadable(stdin.fd)) return ''
  const chunks: Buffer[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined
  const first = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patience)
  })
  const read = (async () => {
    for await (const chunk of stdin) {
      clearTimeout(timer)
      size += (chunk as Buffer).length
      if (size > LARGEST)
        throw new AppError('invalid_input', 'Standard input is longer than 1 MB.', {
          hint: 'Pipe in only the relevant part.',
        })
      chunks.push(chunk as Buffer)
    }
    return 'ended' as const
  })()
  const outcome = await Promise.race([read, first]).finally(() => clearTimeout(timer))
  if (outcome === 'late') {
    read.catch(() => {})
    stdin.destroy()
    late()
  }
  return plainText(Buffer.concat(chunks).toString('utf8')).trim()
}

/** Whether a descriptor is a file, a pipe or a socket; `/dev/null` has no content. */
function isReadable(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}
