import { Command, CommanderError, Option } from 'commander'
import { closeMatch } from '../../kernel/domain/close-match.ts'
import { AppError, ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { spellDeep, spellNames } from '../../kernel/domain/named-operation.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import { textOf, type Styled } from '../../kernel/domain/view/styled.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { styledAnswer, type Answer } from '../../operations/answer.ts'
import { call } from '../../operations/call.ts'
import type { Context } from '../../operations/context.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { forTerminal } from '../../operations/spelling.ts'
import { flagsOf, readFlag, type Flag } from './flags.ts'

export interface Terminal {
  out(text: string | Styled): void
  err(text: string | Styled): void
  /** Like `out`, but through the user's pager if it is longer than the screen. */
  page?(text: Styled): void
  /** Format options for `out`. */
  view(now: Date): View
  /** Prints the full error, if requested. */
  trace(thrown: unknown): void
  /** The text of a file, or standard input for `-`. */
  readText(name: string): string
}

/** How a command differs from the default of one call with its answer shown at the end. */
export interface CommandManner {
  /** Adds input beyond the command-line words. */
  input?(given: Record<string, unknown>): Promise<Record<string, unknown>>
  call?(ctx: Context, operation: RegisteredOperation, input: Record<string, unknown>): Promise<Answer>
  /** True if the call shows the answer as it arrives. */
  readonly isShown?: boolean
  /** Tried in order if the operation does not find the named thing. */
  readonly otherwise?: readonly { readonly operation: RegisteredOperation; readonly rest: readonly string[] }[]
}

/** Runs one operation from its command-line words and returns the exit code; `typed` is the name it was called by. */
export async function runCommand(
  operation: RegisteredOperation,
  argv: readonly string[],
  open: () => Promise<Context>,
  terminal: Terminal,
  typed = operation.command[0]!,
  manner: CommandManner = {},
): Promise<number> {
  const json = argv.includes('--json')
  let opened: Promise<Context> | undefined
  const attempt = async (tried: RegisteredOperation, words: readonly string[]): Promise<number> => {
    const given = parseArguments(tried, words, { terminal, typed })
    const raw = manner.input === undefined ? given : await manner.input(given)
    const ctx = await (opened ??= open())
    const answer = await (manner.call ?? call)(ctx, tried, raw)
    const code = tried.exit(answer.output as never)
    if (manner.isShown === true) return code
    if (json) terminal.out(JSON.stringify(answer.output, null, 2))
    else writeAnswer(tried, answer, { code, terminal, now: ctx.clock.now() })
    return code
  }
  try {
    return await attempt(operation, argv)
  } catch (thrown) {
    const failure = toAppError(thrown)
    const isElsewhere = failure.code === 'not_found' || failure.code === 'invalid_input'
    for (const { operation: other, rest } of isElsewhere ? (manner.otherwise ?? []) : []) {
      try {
        return await attempt(other, rest)
      } catch {
        // The first failure names the request as typed.
      }
    }
    terminal.trace(thrown)
    return reportFailure(withUsage(failure, typed), json, terminal, operation)
  }
}

/**
 * Writes an answer. Exit code 1 is a result for scripts, e.g. of `ken verify`; a higher code is a refusal. Empty output
 * was written elsewhere.
 */
export function writeAnswer(
  operation: RegisteredOperation,
  answer: Answer,
  { code, terminal, now }: { code: number; terminal: Terminal; now: Date },
): void {
  const styled = styledAnswer(operation, answer, terminal.view(now))
  if (code > 1) terminal.err(styled)
  else if (operation.isPaged(answer.input as never) && terminal.page !== undefined) terminal.page(styled)
  else if (textOf(styled) !== '') terminal.out(styled)
}

/** Prints one line: the problem and the next step. */
export function reportFailure(
  failure: AppError,
  json: boolean,
  terminal: Terminal,
  operation?: RegisteredOperation,
): number {
  const error = toAppError(failure)
  const spelling = forTerminal(operation)
  const { code, message, hint, details } = error
  const told = { error: { code, message, ...(hint && { hint }), ...details } }
  terminal.err(
    json ? JSON.stringify(visibleDeep(spellDeep(told, spelling)), null, 2) : `ken: ${spellNames(error.line, spelling)}`,
  )
  return ERROR_TABLE[code].exit
}

/** Adds usage to an invalid-input error without a hint. */
const withUsage = (error: AppError, typed: string): AppError =>
  error.code === 'invalid_input' && error.hint === undefined
    ? new AppError(error.code, error.message, {
        hint: `See \`ken ${typed} --help\`.`,
        ...(error.details && { details: error.details }),
      })
    : error

/** Parses command-line words into the input. Throws `invalid_input` with a suggestion. */
export function parseArguments(
  operation: RegisteredOperation,
  argv: readonly string[],
  { terminal, typed }: { terminal: Terminal; typed: string },
): Record<string, unknown> {
  const flags = flagsOf(operation)
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .allowExcessArguments(false)
  const positional = operation.positional.map((field) => flags.find((flag) => flag.field === field)!)
  for (const flag of positional) command.argument(flag.kind === 'texts' ? `[${flag.name}...]` : `[${flag.name}]`)
  for (const flag of flags) for (const option of toOptions(flag)) command.addOption(option)
  for (const flag of flags)
    if (flag.formerly !== undefined)
      for (const option of toOptions({ ...flag, name: flag.formerly, short: undefined })) command.addOption(option)
  command.option('--json')
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? wrongUsage(error, { flags, positional, argv, typed }) : error
  }
  const options = command.opts<Record<string, string | string[] | boolean>>()
  // An argument may also be given by name: `ken init --name shop` equals `ken init shop`.
  const given = (flag: Flag) =>
    options[camel(flag.name)] ??
    (flag.formerly && options[camel(flag.formerly)]) ??
    (command.processedArgs[positional.indexOf(flag)] as string | string[] | undefined)
  const raw: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = given(flag)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    raw[flag.field] = readFlag(flag, value, (name) => terminal.readText(name))
  }
  return raw
}

function toOptions(flag: Flag): Option[] {
  const name = flag.short === undefined ? `--${flag.name}` : `${flag.short}, --${flag.name}`
  // Accepts both forms, whichever is the default: a script may be explicit.
  if (flag.kind === 'switch') return [new Option(name), new Option(`--no-${flag.name}`)]
  if (flag.kind === 'texts' || flag.kind === 'objects') {
    const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value]
    return [new Option(`${name} <value>`).argParser(collect)]
  }
  return [new Option(`${name} <value>`)]
}

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** A commander error in Ken's wording, with a suggestion. */
function wrongUsage(
  error: CommanderError,
  line: {
    readonly flags: readonly Flag[]
    readonly positional: readonly Flag[]
    readonly argv: readonly string[]
    readonly typed: string
  },
): AppError {
  const { flags, positional, argv, typed } = line
  const see = `See \`ken ${typed} --help\`.`
  const named = /'(?:-\w, )?(--?[^' =]+)/.exec(error.message)?.[1] ?? ''
  if (error.code === 'commander.unknownOption') {
    const near = closeMatch(named.replace(/^-+(?:no-)?/, ''), [...flags.map(({ name }) => name), 'json', 'help'])
    return new AppError('invalid_input', `\`ken ${typed}\` has no option ${named}.`, {
      hint: near === undefined ? see : `Did you mean --${near}? ${see}`,
    })
  }
  if (error.code === 'commander.optionMissingArgument')
    return new AppError('invalid_input', `${named} needs a value.`, { hint: see })
  if (error.code === 'commander.excessArguments') {
    const takes = positional.length === 0 ? 'no arguments' : positional.map(({ name }) => `<${name}>`).join(' and ')
    const isPlain = positional.length === 1 && argv.every((word) => !word.startsWith('-'))
    return new AppError('invalid_input', `\`ken ${typed}\` takes ${takes}; got more arguments.`, {
      hint: isPlain ? `Put them in quotes: \`ken ${typed} "${argv.join(' ')}"\`.` : see,
    })
  }
  return new AppError('invalid_input', `${error.message.replace(/^error: /, '').replace(/\.$/, '')}.`, { hint: see })
}
