import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ERROR_TABLE } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import { durationBucket } from '../kernel/ports/telemetry.ts'
import { recordStateFolder } from '../kernel/system/record-state-folder.ts'
import { REGISTRY, type RegisteredOperation } from '../operations/registry.ts'
import { dispatch } from '../surfaces/cli/dispatch.ts'
import { takeOutputFlags } from '../surfaces/cli/output-flags.ts'
import { showProgress, type Progress } from '../surfaces/cli/progress.ts'
import { parseArguments, reportFailure, runCommand, type CommandManner, type Terminal } from '../surfaces/cli/run.ts'
import { askForWords } from './ask-for-words.ts'
import { editorOf } from './edit-text.ts'
import { launcherCommand } from './launcher.ts'
import { exitCodeOf, listenForStop } from './listen-for-stop.ts'
import { openTerminal } from './open-terminal.ts'
import { openKen, type Caller } from './open.ts'
import type { Environment } from './settings.ts'
import { VERSION } from './version.ts'

export async function runCli(line: readonly string[], environment: Environment): Promise<number> {
  const progress = showProgress(process.stderr)
  let terminal = openTerminal({ color: 'auto', verbose: false }, environment, progress)
  try {
    const { rest, ...flags } = takeOutputFlags(line)
    terminal = openTerminal(flags, environment, progress)
    return await dispatch(rest, {
      terminal,
      version: VERSION,
      begin: async () =>
        process.stdin.isTTY && process.stdout.isTTY
          ? (await import('./first-run.ts')).beginHere(process.cwd(), environment, (words) =>
              runOperationNamed('start', words, { terminal, environment, progress }),
            )
          : undefined,
      ask: (operation, words) => askForWords(operation, words, { terminal, environment }),
      run: async (operation, words, typed, attempts = []) => {
        const desk = { terminal, environment, progress }
        if (isSitting(operation, words, terminal))
          return (await import('./sql-repl.ts')).runSqlRepl(operation, words, desk)
        if (operation.name === 'demo') return showDemo(operation, words, { typed, ...desk })
        if (operation.turn === undefined) {
          if (operation.name === 'start') return runOperationNamed('start', words, desk)
          const otherwise = await Promise.all(
            attempts.map(async ({ operation: name, rest: own }) => ({ operation: await operationOf(name), rest: own })),
          )
          return runOperation(operation, words, { typed, manner: { otherwise }, ...desk })
        }
        const { mannerOf, runAskRepl } = await import('./ask-repl.ts')
        const { rest: own, isSitting: sits, ...manner } = mannerOf(operation, words, desk)
        return sits ? runAskRepl(operation, own, desk) : runOperation(operation, own, { typed, manner, ...desk })
      },
    })
  } catch (thrown) {
    terminal.trace(thrown)
    return reportFailure(toAppError(thrown), line.includes('--json'), terminal)
  }
}

const runOperationNamed = async (name: string, words: readonly string[], desk: Desk & { progress: Progress }) =>
  runOperation(await operationOf(name), words, { typed: name, manner: await mannerOfStart(words, desk), ...desk })

/** After a repository is set up, runs the command with the most to show, as if the user had typed it. */
async function mannerOfStart(words: readonly string[], { terminal }: Desk): Promise<CommandManner> {
  return words.includes('--json') ? {} : (await import('./first-run.ts')).showFirst(terminal, operationOf)
}

const operationOf = (name: string): Promise<RegisteredOperation> =>
  REGISTRY.find((entry) => entry.name === name)!.load()

/** Terminal and environment of a call. */
interface Desk {
  readonly terminal: Terminal
  readonly environment: Environment
}

interface Running extends Desk {
  readonly typed: string
  readonly progress: Progress
  readonly manner?: CommandManner
}

/** Runs the demo; a person at a terminal can explore it in the web app afterwards. */
async function showDemo(operation: RegisteredOperation, words: readonly string[], running: Running): Promise<number> {
  const code = await runOperation(operation, words, running)
  const isOver = !process.stdout.isTTY || words.includes('--once') || words.includes('--json')
  return code !== 0 || isOver ? code : (await import('./demo/serve-demo.ts')).serveDemo(running.environment)
}

async function runOperation(
  operation: RegisteredOperation,
  rest: readonly string[],
  { typed, terminal, environment, progress, manner }: Running,
): Promise<number> {
  const started = performance.now()
  const stop = listenForStop()
  let ken: ReturnType<typeof openKen> | undefined
  let teams: { stop(): Promise<void> } | undefined
  const written = new Map<string, RegisteredProject>()
  // The demo leaves no files behind, neither in the user's home nor elsewhere.
  const ownHome = operation.name === 'demo' ? mkdtempSync(join(tmpdir(), 'ken-demo-')) : undefined
  const open = async () => {
    const place = ownHome === undefined ? environment : { ...environment, KEN_HOME: ownHome }
    ken = openKen(place, (message) => terminal.err(`ken: ${message}`))
    ken.teams.hear((project) => written.set(project.id, project))
    if (operation.name === 'watch') teams = (await import('./keep-teams.ts')).keepTeams({ ken, warn: terminal.err })
    return ken.context({
      origin: { surface: 'cli' },
      cwd: process.cwd(),
      progress: rest.includes('--json') ? () => {} : progress.say,
      signal: stop.signal,
      ...personAt(rest, environment),
      ...pipeFor(rest),
    })
  }
  const code = await runCommand(operation, rest, open, terminal, typed, manner)
  progress.clear()
  try {
    if (ken !== undefined) await sayMergeDriver(ken, { operation: operation.name, rest, terminal, environment })
    const told = ken?.context({ origin: { surface: 'cli' }, cwd: '.' })
    // Read again: the command may have turned the log off.
    const isLogged = told?.settings.get('telemetry.log').value === true
    // `ken uninstall --data` leaves no folder to log to.
    if (isLogged && existsSync(ken!.home))
      told.telemetry.record({
        event: 'cli.command_invoked',
        command: operation.name,
        success: code === 0,
        duration_bucket: durationBucket(performance.now() - started),
        version: VERSION,
        os: platform(),
      })
    await teams?.stop()
    if (told?.settings.get('team.background').value === true && !JOINS.has(operation.name))
      for (const { id } of written.values()) syncLater(id, environment)
    await ken?.close()
  } catch (thrown) {
    return reportFailure(toAppError(thrown), false, terminal)
  } finally {
    if (ownHome !== undefined) rmSync(ownHome, { recursive: true, force: true })
  }
  const stoppedBy = stop.by()
  stop.close()
  // Does not wait for interrupted work: a request may still hang.
  if (stoppedBy !== undefined && code === ERROR_TABLE.stopped.exit) process.exit(exitCodeOf(stoppedBy))
  return code
}

/** Operations that merge the record with the team's themselves, or separate the two. */
const JOINS: ReadonlySet<string> = new Set(['link', 'unlink', 'attach', 'sync_team', 'watch'])

/** Warns on the first command in a clone that git would merge the record as text. */
async function sayMergeDriver(
  ken: ReturnType<typeof openKen>,
  { operation, rest, terminal, environment }: Desk & { operation: string; rest: readonly string[] },
): Promise<void> {
  const project = ken.carried()
  if (project === undefined || !isFirstCommand(ken.home, project.location)) return
  const { offerMergeDriver } = await import('../record/merge-driver.ts')
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd(), ...personAt(rest, environment) })
  // `status` and `doctor` report it themselves.
  const isSaid = operation === 'status' || operation === 'doctor'
  await offerMergeDriver(ctx, project, (line) => (isSaid ? undefined : terminal.err(`ken: ${line}`)))
}

/** Writes raw data to standard output if that is not a terminal, and JSON is not requested. */
function pipeFor(words: readonly string[]): Pick<Caller, 'pipe'> {
  if (process.stdout.isTTY || words.includes('--json')) return {}
  return {
    // A failure ends the process, a closed pipe does not: see `guardOutput`.
    pipe: (data) => new Promise((written) => process.stdout.write(data, () => written())),
  }
}

/** Enables prompts only at a terminal, and not if the output is for a program. */
function personAt(words: readonly string[], environment: Environment): Pick<Caller, 'confirm' | 'ask' | 'editText'> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || words.includes('--json')) return {}
  const editText = editorOf(environment)
  return {
    ...(editText && { editText }),
    confirm: async (question) =>
      (await import('../surfaces/cli/ask-person.ts')).askPerson(question, {
        input: process.stdin,
        output: process.stdout,
      }),
    ask: async (question, how) =>
      (await import('../surfaces/cli/ask-person.ts')).askForLine(question, how, {
        input: process.stdin,
        output: process.stdout,
      }),
  }
}

/** Whether this is `ken sql` at a terminal without a statement, with any row format flags. */
function isSitting(operation: RegisteredOperation, words: readonly string[], terminal: Terminal): boolean {
  if (operation.name !== 'run_sql' || !process.stdin.isTTY || !process.stdout.isTTY) return false
  if (words.includes('--json') || words.includes('-')) return false
  try {
    const given = parseArguments(operation, words, { terminal, typed: 'sql' })
    return ['sql', 'file', 'result', 'output', 'save', 'name', 'all'].every((field) => given[field] === undefined)
  } catch {
    // The command itself reports an invalid command line.
    return false
  }
}

/** Returns true once for each record in a repository, and never if that cannot be stored: a repeated note is noise. */
function isFirstCommand(home: string, location: string): boolean {
  try {
    const folder = recordStateFolder(join(home, 'records'), realpathSync(location))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'merge-driver-told'), '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** Starts a sync that this process does not wait for: the write is already acknowledged. */
function syncLater(project: string, environment: Environment): void {
  const [command, ...words] = launcherCommand(environment)
  // If it cannot start, the next sync catches up.
  spawn(command!, [...words, 'sync', 'team', '--background', '--project', project, '--json'], {
    detached: true,
    stdio: 'ignore',
    env: environment as NodeJS.ProcessEnv,
  })
    .on('error', () => undefined)
    .unref()
}
