import { mkdtempSync, readFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { AppError, ERROR_TABLE } from '../core/errors.ts'
import { toAppError } from '../core/to-app-error.ts'
import type { RegisteredOperation } from '../operations/registry.ts'
import { durationBucket } from '../ports/telemetry.ts'
import { dispatch } from '../surfaces/cli/dispatch.ts'
import { showProgress } from '../surfaces/cli/progress.ts'
import { reportFailure, runCommand, type Terminal } from '../surfaces/cli/run.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { isFirstCommand } from './first-command.ts'
import { exitCodeOf, listenForStop } from './listen-for-stop.ts'
import { openKen, type Caller } from './open.ts'
import type { Environment } from './settings.ts'
import { VERSION } from './version.ts'

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

export const runCli = (line: readonly string[], environment: Environment): Promise<number> =>
  dispatch(line, {
    terminal,
    version: VERSION,
    ask: askForWords,
    run: (operation, rest) => runOperation(operation, rest, environment),
  })

/** At a terminal, `ken init --context` without further words asks; a script says it all. */
async function askForWords(operation: string, rest: readonly string[]): Promise<readonly string[] | undefined> {
  const isAsked =
    (operation === 'init' && rest.length === 1 && rest[0] === '--context') ||
    (operation === 'init_context' && rest.length === 0)
  if (!isAsked || !process.stdin.isTTY || !process.stdout.isTTY) return rest
  const [{ askForContext }, { contextDefinitions }] = await Promise.all([
    import('../surfaces/cli/context-wizard.ts'),
    import('./providers.ts'),
  ])
  const streams = { input: process.stdin, output: process.stdout }
  const words = await askForContext(basename(process.cwd()), await contextDefinitions(), streams)
  return words === undefined ? undefined : [...rest, ...words]
}

async function runOperation(
  operation: RegisteredOperation,
  rest: readonly string[],
  environment: Environment,
): Promise<number> {
  const started = performance.now()
  const stop = listenForStop()
  let ken: ReturnType<typeof openKen> | undefined
  const open = async () => {
    // The demo must not leave a project in the user's home.
    const place =
      operation.name === 'demo' ? { ...environment, KEN_HOME: mkdtempSync(join(tmpdir(), 'ken-demo-')) } : environment
    ken = openKen(place, (message) => terminal.err(`ken: ${message}`))
    return ken.context({
      origin: { surface: 'cli' },
      cwd: process.cwd(),
      progress: rest.includes('--json') ? () => {} : showProgress(process.stderr),
      signal: stop.signal,
      ...personAt(rest),
    })
  }
  const code = await runCommand(operation, rest, open, terminal)
  try {
    if (ken !== undefined) await sayMergeDriver(ken, operation.name, rest)
    ken?.context({ origin: { surface: 'cli' }, cwd: '.' }).telemetry.record({
      event: 'cli.command_invoked',
      command: operation.name,
      success: code === 0,
      duration_bucket: durationBucket(performance.now() - started),
      version: VERSION,
      os: platform(),
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

/** The first command in a clone says that git would join the record as text there; later ones know. */
async function sayMergeDriver(
  ken: ReturnType<typeof openKen>,
  operation: string,
  rest: readonly string[],
): Promise<void> {
  const project = ken.carried()
  if (project === undefined || !isFirstCommand(ken.home, project.location)) return
  const { offerMergeDriver } = await import('../record/merge-driver.ts')
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd(), ...personAt(rest) })
  // Those two say it themselves.
  const isSaid = operation === 'status' || operation === 'doctor'
  await offerMergeDriver(ctx, project, (line) => (isSaid ? undefined : terminal.err(`ken: ${line}`)))
}

/** Someone to ask: only at a terminal, and not when the answer is for a program. */
function personAt(words: readonly string[]): Pick<Caller, 'confirm'> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || words.includes('--json')) return {}
  return {
    confirm: async (question) =>
      (await import('../surfaces/cli/ask-person.ts')).askPerson(question, {
        input: process.stdin,
        output: process.stdout,
      }),
  }
}
