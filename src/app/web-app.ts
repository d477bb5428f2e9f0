import { rmSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ERROR_TABLE } from '../kernel/domain/errors.ts'
import { pageText } from '../kernel/domain/lone-page.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { WaitingChange } from '../kernel/ports/page-changes.ts'
import { openInBrowser } from '../kernel/system/browser.ts'
import { waitingLines } from '../operations/page-power.ts'
import { loadOperations } from '../operations/registry.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { serveApp, type AppServer } from '../surfaces/http/serve-app.ts'
import { startBackgroundUpkeep } from './background-upkeep.ts'
import { placeChosen, type CallPlace, placeOfRequest } from './call-place.ts'
import { faultTracer } from './fault-tracer.ts'
import { keepTeams } from './keep-teams.ts'
import { browserStore } from './kept-browsers.ts'
import { openKen } from './open.ts'
import type { Ken } from './open.ts'
import { announceApp, linkOfRunningApp } from './running-app.ts'
import type { Environment } from './settings.ts'
import { VERSION } from './version.ts'
import { webAppFiles } from './web-app-files.ts'

const HELP = `Usage: ken app [--project <name or folder>] [--port <n>] [--no-open]

  The web app on 127.0.0.1: look into the project's memory, ask it, put it right. Opens your browser with a link that
  works once. A second \`ken app\` opens the one that runs. Also \`ken chat\`.

  --project   The project to show first, as an id, name or folder; the one of this folder by default
  --port      Port to listen on, see the setting app.port; 0 picks a free one, another than that of the running app
  --no-open   Print the link instead of opening a browser
`

const say = (message: string): void => writeText(process.stderr, `ken: ${message}`)

/** `ken app`. Uses the user's own browser, with any home. */
export async function webApp(
  argv: readonly string[],
  environment: Environment,
  browser: Environment = environment,
): Promise<number> {
  const flags = readFlags(argv)
  if (typeof flags === 'string') {
    writeText(flags === HELP ? process.stdout : process.stderr, flags)
    return flags === HELP ? 0 : 2
  }
  const ken = openKen(environment, say)
  try {
    const usual = await placeOf(ken, flags.project)
    const show = (link: string) => showLink(link, { ken, environment: browser, isOpened: flags.open })
    const running = await linkOfRunningApp(ken.home, addressOf(usual), flags.port)
    if (running === undefined) await serveUntilStopped(ken, { usual, port: flags.port, environment, show })
    else await show(running)
    return 0
  } catch (thrown) {
    faultTracer(environment)?.(thrown)
    const error = toAppError(thrown)
    say(error.line)
    return ERROR_TABLE[error.code].exit
  } finally {
    await ken.close()
  }
}

interface Serving {
  readonly usual: CallPlace
  readonly port: number | undefined
  readonly environment: Environment
  show(link: string): Promise<void>
}

async function serveUntilStopped(ken: Ken, { usual, port, environment, show }: Serving): Promise<void> {
  const own = ken.context({ origin: { surface: 'app' }, cwd: usual.cwd })
  const trace = faultTracer(environment)
  const place = { usual, show: showWaiting, ...(trace && { trace }) }
  const server = await (port === undefined
    ? openAtUsualPort(ken, { ...place, port: Number(own.settings.get('app.port').value) })
    : openAppServer(ken, { ...place, port }))
  const takeBack = announceApp(ken.home, server)
  const upkeep = startBackgroundUpkeep(own, say, { stories: true })
  const teams = keepTeams({ ken, warn: say })
  try {
    writeText(process.stderr, `Ken's app is at ${server.url}; Ctrl-C ends it.`)
    await show(server.link(addressOf(usual)))
    await untilStopped()
  } finally {
    takeBack()
    await server.close()
    await Promise.all([upkeep.stop(), teams.stop()])
  }
}

/**
 * Prints a pending change even if standard error is redirected: a code is useless without the session of the page that
 * requested it.
 */
const showWaiting = (change: WaitingChange): void => writeText(process.stderr, `\n${waitingLines(change).join('\n')}\n`)

/**
 * Opens the app at its usual port: a stable address keeps bookmarks and the browser's storage. If the port is taken,
 * any other is used.
 */
async function openAtUsualPort(ken: Ken, place: AppServerPlace): Promise<AppServer> {
  return openAppServer(ken, place).catch((error: unknown) => {
    if ((toAppError(error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error
    say(`Port ${place.port} is taken, so another is used.`)
    return openAppServer(ken, { ...place, port: 0 })
  })
}

async function placeOf(ken: Ken, named: string | undefined): Promise<CallPlace> {
  const from = process.cwd()
  const { projects } = ken.context({ origin: { surface: 'app' }, cwd: from })
  if (named !== undefined) return placeChosen(named, { projects, from })
  const here = await projects.find({ directory: from }).catch(() => undefined)
  return { cwd: from, ...(here && { project: here.id }) }
}

async function showLink(
  link: string,
  { ken, environment, isOpened }: { ken: Ken; environment: Environment; isOpened: boolean },
): Promise<void> {
  const problem = isOpened ? await openLink(link, ken.home, environment) : 'it was not wanted'
  if (problem === undefined) return
  if (isOpened) say(`The browser was not opened: ${problem}.`)
  writeText(process.stdout, `Open ${link}\n(it works once, for two minutes; \`ken app\` gives another)`)
}

/** Opens a link in the browser through a redirecting file: other users of this machine can read program arguments. */
async function openLink(link: string, home: string, environment: Environment): Promise<string | undefined> {
  const file = join(home, 'open-app.html')
  rmSync(file, { force: true })
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${pageText(link)}">`, {
    mode: 0o600,
    flag: 'wx',
  })
  const { problem } = await openInBrowser(pathToFileURL(file).href, { platform: platform(), environment })
  // By then the file has been read, or never will be.
  setTimeout(() => rmSync(file, { force: true }), 10_000).unref()
  return problem
}

interface AppFlags {
  readonly project: string | undefined
  readonly port: number | undefined
  readonly open: boolean
}

function readFlags(argv: readonly string[]): AppFlags | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      allowNegative: true,
      options: {
        project: { type: 'string' },
        port: { type: 'string' },
        open: { type: 'boolean', default: true },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) return HELP
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536))
      return `ken: --port takes a number from 0 to 65535, not "${values.port}".\n`
    return { project: values.project, port, open: values.open }
  } catch (error) {
    return `ken: ${(error as Error).message}. See \`ken app --help\`.\n`
  }
}

const untilStopped = (): Promise<void> =>
  new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop())
  })

interface AppServerPlace {
  /** 0 for any free port. */
  readonly port: number
  /** Default place for an address without a project. */
  readonly usual: CallPlace
  /** Shows a pending call and its code to the person at the terminal. */
  show?(change: WaitingChange): void
  trace?(thrown: unknown): void
}

/** The web app on an open Ken: every operation available to a page, run as the person at this machine. */
async function openAppServer(ken: Ken, { port, usual, show, trace }: AppServerPlace): Promise<AppServer> {
  const { projects, clock } = ken.context({ origin: { surface: 'app' }, cwd: ken.home })
  const [operations, files] = await Promise.all([loadOperations(), webAppFiles()])
  return serveApp({
    operations,
    files,
    port,
    version: VERSION,
    now: () => clock.now().getTime(),
    // A randomly picked port is different next time.
    ...(port !== 0 && { store: browserStore(ken.home, port) }),
    context: async (origin, named) =>
      ken.context({
        origin,
        ...(await placeOfRequest(named, { projects, usual, nowhere: ken.home })),
        startedIn: usual.cwd,
      }),
    ...(show && { show }),
    ...(trace && { trace }),
  })
}

/** Path of a place in the app. */
const addressOf = ({ cwd, project }: CallPlace): string => `/${encodeURIComponent(project ?? `folder:${cwd}`)}`
