import { closeMatch } from '../../core/close-match.ts'
import { AppError } from '../../core/errors.ts'
import { REGISTRY, type RegisteredOperation, type RegistryEntry } from '../../operations/registry.ts'
import { completeWords, completionScript } from './completion.ts'
import { commandHelp, overview } from './help.ts'
import { reportFailure, type Terminal } from './run.ts'

/** Commands that start something and stay, or that programs call; they are no operations. */
export const SERVER_COMMANDS = [
  { command: 'serve --stdio', summary: 'The MCP server that agents start.' },
  { command: 'serve --http', summary: 'MCP and REST on the loopback address, with a token.' },
  { command: 'completion', summary: 'Shell completion: `ken completion bash|zsh|fish`.' },
  { command: 'merge-driver', summary: 'What git calls to join two versions of a record in a repository.' },
  { command: 'hook', summary: 'What agent hooks call; reads their JSON from standard input.' },
]

export interface DispatchParts {
  readonly terminal: Terminal
  readonly version: string
  /** Words that a person was asked for, where the line says too little; undefined when they gave up. */
  ask(operation: string, rest: readonly string[]): Promise<readonly string[] | undefined>
  run(operation: RegisteredOperation, rest: readonly string[]): Promise<number>
}

/**
 * Finds what a line of words means, has it run, and gives the exit code. Only the operation that is meant is loaded.
 */
export async function dispatch(
  line: readonly string[],
  { terminal, version, ask, run }: DispatchParts,
): Promise<number> {
  const argv = commandFirst(line)
  const [first] = argv
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return help(argv.slice(1), terminal, version)
  if (first === 'completion') return printCompletion(argv[1], terminal)
  if (first === '__complete') {
    terminal.out(
      (
        await completeWords(
          REGISTRY,
          SERVER_COMMANDS.map((c) => c.command),
          argv.slice(1),
        )
      ).join('\n'),
    )
    return 0
  }
  const found = findCommand(argv)
  if (found === undefined) return reportFailure(unknownCommand(first), argv.includes('--json'), terminal)
  const rest = await ask(found.entry.name, found.rest)
  return rest === undefined ? 1 : run(await found.entry.load(), rest)
}

async function help(words: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const named = findCommand(words)
  terminal.out(
    named === undefined
      ? overview((await import('../../operations/all.ts')).OPERATIONS, SERVER_COMMANDS, version)
      : commandHelp(await named.entry.load()),
  )
  return 0
}

/** The entry whose command words begin the line, the longest first, and what is left of the line. */
function findCommand(argv: readonly string[]): { entry: RegistryEntry; rest: readonly string[] } | undefined {
  for (const words of [3, 2, 1]) {
    const spoken = argv.slice(0, words).join(' ')
    const entry = REGISTRY.find(({ command }) => command.includes(spoken))
    if (entry !== undefined && argv.length >= words) return { entry, rest: argv.slice(words) }
  }
  return undefined
}

function unknownCommand(word: string): AppError {
  const commands = REGISTRY.flatMap(({ command }) => command)
  const longer = commands.filter((words) => words.startsWith(`${word} `))
  if (longer.length > 0)
    return new AppError('invalid_input', `"${word}" is the beginning of several commands.`, {
      hint: `Say which: ${longer.map((words) => `\`ken ${words}\``).join(', ')}.`,
    })
  const near = closeMatch(word, commands)
  return new AppError('invalid_input', `There is no command "${word}".`, {
    hint: near === undefined ? 'See `ken --help`.' : `Did you mean \`ken ${near}\`? See \`ken --help\`.`,
  })
}

/** `ken --project x check …` means `ken check … --project x`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  if (argv[0] === '--json') return [...commandFirst(argv.slice(1)), '--json']
  if ((argv[0] === '--project' || argv[0] === '-p') && argv.length > 2)
    return [...commandFirst(argv.slice(2)), '--project', argv[1]!]
  return argv
}

function printCompletion(shell: string | undefined, terminal: Terminal): number {
  const script = completionScript(shell ?? '')
  if (script === undefined)
    return reportFailure(
      new AppError('invalid_input', 'Say which shell: bash, zsh or fish.', {
        hint: 'E.g. `ken completion bash >> ~/.bashrc`.',
      }),
      false,
      terminal,
    )
  terminal.out(script)
  return 0
}
