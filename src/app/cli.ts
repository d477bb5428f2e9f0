import { mkdtempSync, readFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { closeMatch } from '../core/close-match.ts'
import { AppError, ERROR_TABLE } from '../core/errors.ts'
import { toAppError } from '../operations/call.ts'
import { OFTEN } from '../operations/often.ts'
import type { Operation } from '../operations/operation.ts'
import { durationBucket } from '../ports/telemetry.ts'
import { completionScript, completeWords } from '../surfaces/cli/completion.ts'
import { overview } from '../surfaces/cli/help.ts'
import { showProgress } from '../surfaces/cli/progress.ts'
import { findCommand, reportFailure, runCommand, type Terminal } from '../surfaces/cli/run.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { exitCodeOf, listenForStop } from './listen-for-stop.ts'
import { openKen, type Caller } from './open.ts'
import type { Environment } from './settings.ts'
import { VERSION } from './version.ts'

export const SERVER_COMMANDS = [
  { command: 'serve --stdio', summary: 'The MCP server that agents start.' },
  { command: 'serve --http', summary: 'MCP and REST on the loopback address, with a token.' },
  { command: 'completion', summary: 'Shell completion: `ken completion bash|zsh|fish`.' },
  { command: 'merge-driver', summary: 'What git calls to join two versions of a record in a repository.' },
  { command: 'hook', summary: 'What agent hooks call; reads their JSON from standard input.' },
]

const terminal: Terminal = {
  out: (text) => writeText(process.stdout, text),
  err: (text) => writeText(process.stderr, text),
  isPerson: process.stdout.isTTY === true,
  readText(name) {
    try {
      return readFileSync(name === '-' ? 0 : name, 'utf8')
    } catch {
      throw new AppError('not_found', `Cannot read ${name === '-' ? 'standard input' : name}.`)
    }
  },
}

export async function runCli(line: readonly string[], environment: Environment): Promise<number> {
  const argv = commandFirst(line)
  const [first] = argv
  const often = first === undefined ? undefined : OFTEN[first]
  if (often !== undefined) return runOperation(await often(), argv.slice(1), environment)
  const { OPERATIONS } = await import('../operations/index.ts')
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const named = first === 'help' ? findCommand(OPERATIONS, argv.slice(1)) : undefined
    if (named !== undefined) return runCommand(named.operation, ['--help'], never, terminal)
    terminal.out(overview(OPERATIONS, SERVER_COMMANDS, VERSION))
    return 0
  }
  if (first === 'completion') return printCompletion(argv[1])
  if (first === '__complete') {
    terminal.out(completeWords(OPERATIONS, SERVER_COMMANDS.map((c) => c.command), argv.slice(1)).join('\n'))
    return 0
  }
  const found = findCommand(OPERATIONS, argv)
  const longer = found === undefined ? commandsUnder(OPERATIONS, first) : []
  if (longer.length > 0) return reportFailure(new AppError('invalid_input', `"${first}" is the beginning of several commands.`, { hint: `Say which: ${longer.map((words) => `\`ken ${words}\``).join(', ')}.` }), argv.includes('--json'), terminal)
  if (found === undefined) {
    const near = closeMatch(first, OPERATIONS.flatMap((op) => op.command))
    return reportFailure(new AppError('invalid_input', `There is no command "${first}".`, { hint: near === undefined ? 'See `ken --help`.' : `Did you mean \`ken ${near}\`? See \`ken --help\`.` }), argv.includes('--json'), terminal)
  }
  const rest = await wizardWords(found.operation.name, found.rest)
  return rest === undefined ? 1 : runOperation(found.operation, rest, environment)
}

/** At a terminal, `ken init --context` without further words asks; a script says it all. */
async function wizardWords(operation: string, rest: readonly string[]): Promise<readonly string[] | undefined> {
  const isAsked = (operation === 'init' && rest.length === 1 && rest[0] === '--context') || (operation === 'init_context' && rest.length === 0)
  if (!isAsked || !process.stdin.isTTY || !process.stdout.isTTY) return rest
  const { askForContext } = await import('../surfaces/cli/context-wizard.ts')
  const words = await askForContext(basename(process.cwd()), { input: process.stdin, output: process.stdout })
  return words === undefined ? undefined : [...rest, ...words]
}

const commandsUnder = (operations: readonly Operation[], word: string): string[] => operations.filter((op) => op.hiddenFrom.cli === undefined).flatMap((op) => op.command).filter((words) => words.startsWith(`${word} `))

/** `ken --project x check …` means `ken check … --project x`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  if (argv[0] === '--json') return [...commandFirst(argv.slice(1)), '--json']
  if ((argv[0] === '--project' || argv[0] === '-p') && argv.length > 2) return [...commandFirst(argv.slice(2)), '--project', argv[1]!]
  return argv
}

async function runOperation(operation: Operation, rest: readonly string[], environment: Environment): Promise<number> {
  const started = performance.now()
  const stop = listenForStop()
  let ken: ReturnType<typeof openKen> | undefined
  const open = async () => {
    // The demo must not leave a project in the user's home.
    const place = operation.name === 'demo' ? { ...environment, KEN_HOME: mkdtempSync(join(tmpdir(), 'ken-demo-')) } : environment
    ken = openKen(place, (message) => terminal.err(`ken: ${message}`))
    return ken.context({ origin: { surface: 'cli' }, cwd: process.cwd(), progress: rest.includes('--json') ? () => {} : showProgress(process.stderr), signal: stop.signal, ...personAt(rest) })
  }
  const code = await runCommand(operation, rest, open, terminal)
  try {
    ken?.context({ origin: { surface: 'cli' }, cwd: '.' }).telemetry.record({
      event: 'cli.command_invoked', command: operation.name, success: code === 0, duration_bucket: durationBucket(performance.now() - started), version: VERSION, os: platform(),
    })
    await ken?.close()
  } catch (thrown) {
    return reportFailure(toAppError(thrown), false, terminal)
  }
  const stoppedBy = stop.by()
  stop.close()
  // What was cut off is not waited for: a request may still hang.
  if (stoppedBy !== undefined && code === ERROR_TABLE.stopped.exit) process.exit(exitCodeOf(stoppedBy))
  return code
}

/** Someone to ask: only at a terminal, and not when the answer is for a program. */
function personAt(words: readonly string[]): Pick<Caller, 'confirm'> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || words.includes('--json')) return {}
  return { confirm: async (question) => (await import('../surfaces/cli/ask-person.ts')).askPerson(question, { input: process.stdin, output: process.stdout }) }
}

function printCompletion(shell: string | undefined): number {
  const script = completionScript(shell ?? '')
  if (script === undefined) return reportFailure(new AppError('invalid_input', 'Say which shell: bash, zsh or fish.', { hint: 'E.g. `ken completion bash >> ~/.bashrc`.' }), false, terminal)
  terminal.out(script)
  return 0
}

const never = (): Promise<never> => Promise.reject(new Error('help opens nothing'))
