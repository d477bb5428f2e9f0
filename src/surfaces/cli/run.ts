import { Command, CommanderError, Option } from 'commander'
import { AppError, ERROR_TABLE } from '../../core/errors.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { visibleDeep } from '../../core/trust/visible.ts'
import type { Styled } from '../../core/view/styled.ts'
import type { View } from '../../core/view/view.ts'
import { styledAnswer } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import type { Context } from '../../ports/context.ts'
import { flagsOf, readFlag, type Flag } from './flags.ts'
import { commandHelp } from './help.ts'

export interface Terminal {
  out(text: string | Styled): void
  err(text: string | Styled): void
  /** How what `out` writes may look. */
  view(now: Date): View
  /** Tells the whole of what went wrong, where that is wanted. */
  trace(thrown: unknown): void
  /** The text of a file, or of standard input for `-`. */
  readText(name: string): string
}

/** Runs one operation from its words on the command line and gives the exit code. */
export async function runCommand(
  operation: RegisteredOperation,
  argv: readonly string[],
  open: () => Promise<Context>,
  terminal: Terminal,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    terminal.out(commandHelp(operation))
    return 0
  }
  const json = argv.includes('--json')
  try {
    const raw = parseArguments(operation, argv, terminal)
    const ctx = await open()
    const answer = await call(ctx, operation, raw)
    terminal.out(
      json ? JSON.stringify(answer.output, null, 2) : styledAnswer(operation, answer, terminal.view(ctx.clock.now())),
    )
    return operation.exit(answer.output as never)
  } catch (thrown) {
    terminal.trace(thrown)
    return reportFailure(toAppError(thrown), json, terminal)
  }
}

/** One line: what is wrong, and what to do next. */
export function reportFailure(failure: AppError, json: boolean, terminal: Terminal): number {
  const error = toAppError(failure)
  if (json)
    terminal.out(
      JSON.stringify(
        visibleDeep({
          error: {
            code: error.code,
            message: error.message,
            ...(error.hint && { hint: error.hint }),
            ...error.details,
          },
        }),
        null,
        2,
      ),
    )
  else terminal.err(`ken: ${error.line}`)
  return ERROR_TABLE[error.code].exit
}

function parseArguments(
  operation: RegisteredOperation,
  argv: readonly string[],
  terminal: Terminal,
): Record<string, unknown> {
  const flags = flagsOf(operation)
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .allowExcessArguments(false)
  const positional = operation.positional.map((field) => flags.find((flag) => flag.field === field)!)
  for (const flag of positional) command.argument(flag.kind === 'texts' ? `[${flag.name}...]` : `[${flag.name}]`)
  for (const flag of flags) command.addOption(toOption(flag))
  command.option('--json')
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError)
      throw new AppError('invalid_input', sentence(error.message), {
        hint: `See \`ken ${operation.command[0]} --help\`.`,
      })
    throw error
  }
  const options = command.opts<Record<string, string | string[] | boolean>>()
  // An argument may be given by its name as well: `ken init --name shop` and `ken init shop` are the same.
  const given = (flag: Flag) =>
    options[camel(flag.name)] ?? (command.processedArgs[positional.indexOf(flag)] as string | string[] | undefined)
  const raw: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = given(flag)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    raw[flag.field] = readFlag(flag, value, (name) => terminal.readText(name))
  }
  return raw
}

function toOption(flag: Flag): Option {
  if (flag.kind === 'switch') return new Option(flag.fallback === true ? `--no-${flag.name}` : `--${flag.name}`)
  if (flag.kind === 'texts' || flag.kind === 'objects') {
    return new Option(`--${flag.name} <value>`).argParser((value: string, before: string[] | undefined) => [
      ...(before ?? []),
      value,
    ])
  }
  const short = SHORT[flag.name]
  return new Option(short === undefined ? `--${flag.name} <value>` : `${short}, --${flag.name} <value>`)
}

const SHORT: Readonly<Record<string, string>> = { limit: '-n', project: '-p', threads: '-t' }

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const sentence = (text: string): string => `${text.replace(/^error: /, '').replace(/\.$/, '')}.`
