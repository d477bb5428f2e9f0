import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readStdin } from '../adapters/read-stdin.ts'
import { AppError, ERROR_TABLE } from '../core/errors.ts'
import { toAppError } from '../core/to-app-error.ts'
import type { RegisteredOperation } from '../operations/registry.ts'
import { durationBucket } from '../ports/telemetry.ts'
import { dispatch } from '../surfaces/cli/dispatch.ts'
import { showProgress } from '../surfaces/cli/progress.ts'
import { reportFailure, runCommand, type Terminal } from '../surfaces/cli/run.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { editorOf } from './edit-text.ts'
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
      return name === '-' ? readStdin() : readFileSync(name, 'utf8')
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
    run: (operation, rest, typed) => runOperation(operation, rest, { typed, environment }),
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
  { typed, environment }: { typed: string; environment: Environment },
): Promise<number> {
  const started = performance.now()
  const stop = listenForStop()
  let ken: ReturnType<typeof openKen> | undefined
  // The demo leaves nothing behind, neither in the user's home nor elsewhere.
  const ownHome = operation.name === 'demo' ? mkdtempSync(join(tmpdir(), 'ken-demo-')) : undefined
  const open = async () => {
    const place = ownHome === undefined ? environment : { ...environment, KEN_HOME: ownHome }
    ken = openKen(place, (message) => terminal.err(`ken: ${message}`))
    return ken.context({
      origin: { surface: 'cli' },
      cwd: process.cwd(),
      progress: rest.includes('--json') ? () => {} : showProgress(process.stderr),
      signal: stop.signal,
      ...personAt(rest, environment),
    })
  }
  const code = await runCommand(operation, rest, open, terminal, typed)
  try {
    if (ken !== undefined) await sayMergeDriver(ken, { operation: operation.name, rest, environment })
    const told = ken?.context({ origin: { surface: 'cli' }, cwd: '.' })
    // Looked at again: the command may have been the one that turns it off.
    const isLogged = told?.settings.get('telemetry.log').value === true
    if (isLogged)
      told.telemetry.record({
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
  } finally {
    if (ownHome !== undefined) rmSync(ownHome, { recursive: true, force: true })
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
  { operation, rest, environment }: { operation: string; rest: readonly string[]; environment: Environment },
): Promise<void> {
  const project = ken.carried()
  if (project === undefined || !isFirstCommand(ken.home, project.location)) return
  const { offerMergeDriver } = await import('../record/merge-driver.ts')
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd(), ...personAt(rest, environment) })
  // Those two say it themselves.
  const isSaid = operation === 'status' || operation === 'doctor'
  await offerMergeDriver(ctx, project, (line) => (isSaid ? undefined : terminal.err(`ken: ${line}`)))
}

/** Someone to ask: only at a terminal, and not when the answer is for a program. */
function personAt(words: readonly string[], environment: Environment): Pick<Caller, 'confirm' | 'editText'> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || words.includes('--json')) return {}
  const editText = editorOf(environment)
  return {
    ...(editText && { editText }),
    confirm: async (question) =>
      (await import('../surfaces/cli/ask-person.ts')).askPerson(question, {
        input: process.stdin,
        output: process.stdout,
      }),
  }
}
