import { closeMatch } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { spansOf } from '../../kernel/domain/view/styled.ts'
import { REGISTRY, type RegisteredOperation, type RegistryEntry } from '../../operations/registry.ts'
import { EVERYDAY, GROUPS } from './command-groups.ts'
import { COMPLETION_HELP, completeWords, completionScript } from './completion.ts'
import { commandHelp, fullOverview, groupHelp, overview, type ServerCommand } from './help.ts'
import { reportFailure, type Terminal } from './run.ts'
import { meaningOf, SHORTHANDS, type Attempt } from './shorthands.ts'

/** Commands that keep running, or that programs call; not operations. */
export const SERVER_COMMANDS = [
  { command: 'app', summary: 'Open the web app in your browser.' },
  { command: 'chat', summary: 'Alias of `ken app`.' },
  { command: 'serve --stdio', summary: 'Run the MCP server that agents start.' },
  { command: 'serve --http', summary: 'Serve MCP and REST on the loopback address, with a token.' },
  { command: 'lsp', summary: 'Run the language server that editors start.' },
  { command: 'server', summary: 'Run a team server on PostgreSQL.' },
  { command: 'auth', summary: 'Log in to a team server: `ken auth login|status|logout`.' },
  { command: 'completion', summary: 'Print shell completion: `ken completion bash|zsh|fish`.' },
  { command: 'merge-driver', summary: 'Merge two record versions (called by git).' },
  { command: 'hook', summary: 'Run an agent hook; reads its JSON from standard input.' },
  { command: 'version', summary: 'Print the version; also -v and --version.' },
  { command: 'help', summary: 'Show help for a command; `ken help --all` lists every command.' },
]

export interface DispatchParts {
  readonly terminal: Terminal
  readonly version: string
  /** `ken` alone: runs the setup of a new repository and returns its exit code; undefined: show the overview. */
  begin?(): Promise<number | undefined>
  /** Prompts for missing words; undefined if the person cancels. */
  ask(operation: string, rest: readonly string[]): Promise<readonly string[] | undefined>
  /** `typed`: the command name that the person used; `otherwise`: attempts for a thing that the operation lacks. */
  run(
    operation: RegisteredOperation,
    rest: readonly string[],
    typed: string,
    otherwise?: readonly Attempt[],
  ): Promise<number>
}

/** Parses a command line, runs it, and returns the exit code. Loads only the operation in question. */
export async function dispatch(line: readonly string[], parts: DispatchParts): Promise<number> {
  const { terminal, ask, run } = parts
  const argv = commandFirst(line)
  const [first] = argv
  const begun = first === undefined ? await parts.begin?.() : undefined
  if (begun !== undefined) return begun
  if (first === '__complete') {
    const others = [...SERVER_COMMANDS, ...SHORTHANDS].map(({ command }) => command)
    terminal.out((await completeWords(REGISTRY, others, argv.slice(1))).join('\n'))
    return 0
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help' || isAskedForHelp(argv))
    return help(argv, parts)
  if (argv.length === 1 && GROUPS.some(({ noun }) => noun === first) && findCommand(argv) === undefined)
    return help(argv, parts)
  if (first === 'completion') return printCompletion(argv[1], terminal)
  const found = findCommand(argv)
  const operation = await found?.entry.load()
  if (found === undefined || operation === undefined || isOtherWord(found, operation))
    return reportFailure(await unknownCommand(argv), argv.includes('--json'), terminal)
  if (found.lacks !== undefined)
    return reportFailure(new AppError('invalid_input', found.lacks), argv.includes('--json'), terminal)
  const rest = await ask(operation.name, found.rest)
  return rest === undefined ? 1 : run(operation, rest, found.typed, found.otherwise)
}

/** `--help` and `-h` anywhere before `--`, and `ken check help`. */
function isAskedForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const flags = end < 0 ? argv : argv.slice(0, end)
  return flags.includes('--help') || flags.includes('-h') || wordsOf(argv).at(-1) === 'help'
}

/** The command words alone, if only `help` follows them. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const found = findCommand(argv)
  const rest = found === undefined ? argv.slice(1) : found.rest
  return rest.length === 1 && rest[0] === 'help' ? argv : []
}

async function help(argv: readonly string[], { terminal, version }: DispatchParts): Promise<number> {
  // Help shows no times.
  const view = terminal.view(new Date(0))
  const show = (text: string): void => terminal.out(spansOf(text))
  const words = argv.filter((word) => !['--help', '-h', 'help', '--json'].includes(word))
  if (words.length === 0 || words[0] === '--all' || words[0] === 'all') {
    show(
      words.length > 0
        ? fullOverview((await import('../../operations/all.ts')).OPERATIONS, SERVER_COMMANDS, version, view)
        : overview(await Promise.all(EVERYDAY.map((name) => entryNamed(name).load())), version, view),
    )
    return 0
  }
  const found = findCommand(words)
  const group = REGISTRY.filter(({ command }) => command.some((one) => one.startsWith(`${words[0]!} `)))
  const servers = SERVER_COMMANDS.filter(({ command }) => command.split(' ')[0] === words[0])
  const sections = [
    ...(found === undefined ? [] : [commandHelp(await found.entry.load(), found.typed, view)]),
    ...(group.length === 0 || (found !== undefined && found.typed !== words[0])
      ? []
      : [groupHelp(words[0]!, await Promise.all(group.map((entry) => entry.load())), view)]),
  ]
  if (sections.length > 0) show(sections.join('\n\n'))
  else if (servers.length > 0)
    terminal.out(words[0] === 'completion' ? COMPLETION_HELP : servers.map(serverHelp).join('\n\n'))
  else return reportFailure(await unknownCommand(words), false, terminal)
  return 0
}

/**
 * True for a mistyped subcommand such as `ken config lst`: the words match a command that takes no arguments, while
 * others share its first word.
 */
const isOtherWord = ({ typed, rest }: FoundCommand, { positional }: RegisteredOperation): boolean =>
  positional.length === 0 &&
  rest[0] !== undefined &&
  !rest[0].startsWith('-') &&
  REGISTRY.some(({ command }) => command.some((words) => words.startsWith(`${typed} `)))

const serverHelp = ({ command, summary }: ServerCommand): string => `Usage: ken ${command}\n\n${summary}`

interface FoundCommand {
  readonly entry: RegistryEntry
  readonly typed: string
  readonly rest: readonly string[]
  readonly lacks?: string
  readonly otherwise?: readonly Attempt[]
}

/** The entry with the longest command words at the start of the line, and the rest of the line. */
function findCommand(argv: readonly string[]): FoundCommand | undefined {
  const meant = argv[0] === undefined ? undefined : meaningOf(argv[0], argv.slice(1))
  if (meant !== undefined) return { ...meant, entry: entryNamed(meant.operation), typed: argv[0]! }
  for (const words of [3, 2, 1]) {
    const typed = argv.slice(0, words).join(' ')
    const entry = REGISTRY.find(({ command }) => command.includes(typed))
    if (entry !== undefined && argv.length >= words) return { entry, typed, rest: argv.slice(words) }
  }
  return undefined
}

const entryNamed = (name: string): RegistryEntry => REGISTRY.find((entry) => entry.name === name)!

async function unknownCommand(argv: readonly string[]): Promise<AppError> {
  const word = argv[0]!
  const { OPERATIONS } = await import('../../operations/all.ts')
  const longer = OPERATIONS.filter((op) => !op.destructive)
    .flatMap(({ command }) => command)
    .filter((words) => words.startsWith(`${word} `))
  if (longer.length > 0) {
    const says = argv[1] === undefined || argv[1].startsWith('-') ? 'needs a subcommand' : `has no "${argv[1]}"`
    return new AppError('invalid_input', `\`ken ${word}\` ${says}.`, {
      hint: `Use one of: ${longer.map((words) => `\`ken ${words}\``).join(', ')}.`,
    })
  }
  const near = GUESSES[word.toLowerCase()] ?? suggestionFor(word, OPERATIONS)
  return new AppError('invalid_input', `Unknown command "${word}".`, {
    hint: near === undefined ? 'See `ken --help`.' : `Did you mean \`ken ${near}\`? See \`ken --help\`.`,
  })
}

/** The most similar command. A typo never leads to a destructive command, nor past it to the next best one. */
function suggestionFor(word: string, operations: readonly RegisteredOperation[]): string | undefined {
  const others = [...SHORTHANDS, ...SERVER_COMMANDS].map(({ command }) => command.split(' ')[0]!)
  const near = closeMatch(word, [...operations.flatMap(({ command }) => command), ...others])
  return operations.some((op) => op.destructive && op.command.includes(near ?? '')) ? undefined : near
}

/** Command names from other tools. */
const GUESSES: Readonly<Record<string, string>> = {
  cat: 'show',
  create: 'add',
  decide: 'add',
  find: 'search',
  grep: 'search',
  history: 'log',
  install: 'setup',
  new: 'add',
  open: 'show',
  read: 'show',
  record: 'add',
  remember: 'note',
  replace: 'supersede',
  settings: 'config',
  view: 'show',
  why: 'check',
}

/** Moves flags after the command: `ken --project x check …` means `ken check … --project x`. */
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
      new AppError('invalid_input', '`ken completion` needs a shell: bash, zsh or fish.', {
        hint: 'E.g. `ken completion bash >> ~/.bashrc`.',
      }),
      false,
      terminal,
    )
  terminal.out(script)
  return 0
}
