import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { TurnScope } from '../analyst/ports/turn-scope.ts'
import { ERROR_TABLE, AppError } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { SettingValue } from '../kernel/ports/settings.ts'
import type { Context } from '../operations/context.ts'
import type { OfferedToolset } from '../operations/operation.ts'
import { loadOperations, type RegisteredOperation } from '../operations/registry.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import { buildMcpServer, type McpOptions } from '../surfaces/mcp/server.ts'
import { startBackgroundUpkeep } from './background-upkeep.ts'
import { placeChosen, placeOfRequest } from './call-place.ts'
import { faultTracer } from './fault-tracer.ts'
import { keepTeams } from './keep-teams.ts'
import { openKen, type Ken } from './open.ts'
import type { Environment } from './settings.ts'
import { tetheredEnvironment } from './tethered-environment.ts'
import { VERSION } from './version.ts'

const HELP = `Usage: ken serve [--stdio | --http] [--port <n>] [--project <name>] [--toolset agent | --toolsets record,memory,data,code]

  --stdio      MCP on standard input and output, for agents that start it (the default)
  --http       MCP at /mcp and REST at /v1 on 127.0.0.1; prints the address and a token
  --port       Port for --http; 0 picks a free one
  --project    For --http: the project of requests that name none, as an id, name or folder
  --toolsets   What to offer; see the setting server.toolsets
  --toolset    The same, unless that setting is set; ken setup writes agent: what one agent needs, each thing once
`

const CLI = { origin: { surface: 'cli' } } as const
const say = (message: string): void => writeText(process.stderr, `ken: ${message}`)

/** `ken serve`. On stdio, standard output is reserved for the protocol, so everything else goes to standard error. */
export async function serve(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    return await serveUntilStopped(argv, environment)
  } catch (thrown) {
    faultTracer(environment)?.(thrown)
    const error = toAppError(thrown)
    say(error.line)
    // Upkeep may already be running, and would keep a useless server alive.
    process.exit(ERROR_TABLE[error.code].exit)
  }
}

async function serveUntilStopped(argv: readonly string[], given: Environment): Promise<number> {
  const flags = readFlags(argv)
  if (typeof flags === 'string') {
    writeText(flags === HELP ? process.stdout : process.stderr, flags)
    return flags === HELP ? 0 : 2
  }
  keepHeapSmall()
  const { environment, cut } = await tetheredEnvironment(given)
  const ken = openKen(environment, say)
  const own = ken.context({ ...CLI, cwd: process.cwd() })
  const { settings } = own
  const turn = flags.http ? undefined : await turnOfEnvironment(environment, own)
  const toolsets = toolsetsOf(flags, settings.get('server.toolsets'))
  const trace = faultTracer(environment)
  const projectDirectory = turn?.folder ?? environment['CLAUDE_PROJECT_DIR'] ?? process.cwd()
  const options: Omit<McpOptions, 'surface'> = {
    operations: await offeredOperations(environment, toolsets, turn),
    toolsets: turn === undefined || environment['KEN_TOOLS'] === undefined ? toolsets : OF_A_TURN,
    version: VERSION,
    ...(!flags.http && { hasRecord: await hasRecord(ken, projectDirectory) }),
    ...(trace && { trace }),
    context: flags.http
      ? await contextOverHttp(ken, flags.project)
      : async (origin, { directory }, call) =>
          ken.context({
            origin,
            // The folder of a turn is fixed before the turn begins.
            cwd: (turn === undefined ? directory : undefined) ?? projectDirectory,
            startedIn: projectDirectory,
            ...(turn && { turn: turn.scope(call) }),
          }),
  }
  const upkeep = turn
    ? undefined
    : startBackgroundUpkeep(ken.context({ ...CLI, cwd: projectDirectory }), say, { stories: flags.http })
  const teams = turn ? undefined : keepTeams({ ken, warn: say, ...(!flags.http && { directory: projectDirectory }) })
  if (flags.http) {
    const { serveHttp } = await import('../surfaces/http/serve.ts')
    const port = flags.port ?? Number(settings.get('server.port').value)
    const server = await serveHttp({ ...options, port, tokenPath: `${ken.home}/http-token` })
    writeText(
      process.stderr,
      `Ken listens on ${server.url}\n  MCP   ${server.url}/mcp\n  REST  ${server.url}/v1/<operation>  (OpenAPI: ${server.url}/openapi.json)\n  Token ${server.tokenPath}`,
    )
    await untilStopped()
    await server.close()
  } else {
    const handle = serveStdio(
      ({ era }) => buildMcpServer({ ...options, surface: 'mcp-stdio', subscribes: era === 'legacy' }),
      {
        onerror(error) {
          trace?.(error)
          say(error.message)
        },
      },
    )
    await Promise.race([untilStopped(), cut])
    await handle.close()
  }
  await Promise.all([upkeep?.stop(), teams?.stop()])
  await ken.close()
  return 0
}

/** Without a project chosen at the start, every HTTP request names its project. */
async function contextOverHttp(ken: Ken, chosen: string | undefined): Promise<McpOptions['context']> {
  const { projects } = ken.context({ origin: { surface: 'cli' }, cwd: ken.home })
  const usual = chosen === undefined ? undefined : await placeChosen(chosen, { projects, from: process.cwd() })
  return async (origin, named) =>
    ken.context({
      origin,
      ...(await placeOfRequest(named, { projects, usual, nowhere: ken.home })),
      startedIn: usual?.cwd,
    })
}

interface ServeFlags {
  readonly http: boolean
  readonly port: number | undefined
  readonly toolsets: string | undefined
  readonly toolset: string | undefined
  readonly project: string | undefined
}

/** Toolsets of a server for a turn, which names its own tools. */
const OF_A_TURN: readonly OfferedToolset[] = ['record', 'memory', 'data', 'code', 'analyst']

const OFFERED: readonly string[] = [
  'record',
  'memory',
  'data',
  'code',
  'agent',
  'analyst',
  'app',
] satisfies readonly OfferedToolset[]

/** The user's setting overrides the toolsets that `ken setup` wrote into a client, but not an explicit flag. */
const toolsetsOf = (flags: ServeFlags, setting: SettingValue): readonly OfferedToolset[] => {
  const named = flags.toolsets ?? (setting.source === 'default' ? flags.toolset : undefined)
  return (named?.split(',') ?? setting.value) as readonly OfferedToolset[]
}

/**
 * Whether a folder has a record; a bound record that cannot be opened counts, and every call then reports the error.
 */
const hasRecord = async (ken: Ken, directory: string): Promise<boolean> =>
  ken
    .context({ origin: { surface: 'mcp-stdio' }, cwd: directory })
    .projects.find({ directory })
    .then(
      (project) => project !== undefined,
      () => true,
    )

/**
 * Every agent starts a server, most of which are idle. V8 would let the space for new objects grow to 128 MB, and the
 * heap to a multiple of its use. On 40,000 documents this limit saves half of the memory and costs a fifth of the time.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--optimize-for-size')
}

function readFlags(argv: readonly string[]): ServeFlags | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        stdio: { type: 'boolean' },
        http: { type: 'boolean' },
        port: { type: 'string' },
        project: { type: 'string' },
        toolset: { type: 'string' },
        toolsets: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) return HELP
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536))
      return `ken: --port takes a number from 0 to 65535, not "${values.port}".\n`
    const { toolsets, toolset } = values
    const unknown = [toolsets, toolset]
      .flatMap((names) => names?.split(',') ?? [])
      .find((name) => !OFFERED.includes(name))
    if (unknown !== undefined) return `ken: No toolset named "${unknown}". --toolsets takes ${OFFERED.join(', ')}.\n`
    if (values.project !== undefined && !values.http)
      return 'ken: --project belongs to --http; a server on stdio serves the folder that it was started in.\n'
    return { http: values.http ?? false, port, toolsets, toolset, project: values.project }
  } catch (error) {
    return `ken: ${(error as Error).message}. See \`ken serve --help\`.\n`
  }
}

/** Resolves when the client disconnects or on a stop signal. */
function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop())
    process.stdin.once('end', () => stop())
    process.stdin.once('close', () => stop())
  })
}

/** The turn of a server that was started by a client of the analyst. */
interface ServedTurn {
  /** Folder of the chat. */
  readonly folder: string
  /** Returns the scope of one call; with a new id if the client does not send its own. */
  scope(call: string | undefined): TurnScope
}

/** The turn that waits for this server; undefined for a standalone server. */
async function turnOfEnvironment(
  environment: Environment,
  ctx: Pick<Context, 'analystState' | 'clock' | 'user'>,
): Promise<ServedTurn | undefined> {
  const { KEN_CHAT: id, KEN_MESSAGE: message } = environment
  if (!id || !message) return undefined
  const state = await ctx.analystState()
  const chat = await state.chats.find(id, ctx.user)
  const written = (await state.log.messages(id)).find((one) => one.id === message)
  if (chat === undefined || written?.role !== 'assistant' || written.end !== undefined)
    throw new AppError('not_found', 'No such turn is running (KEN_CHAT, KEN_MESSAGE).', {
      hint: 'Ken sets these variables itself; unset them to run your own server.',
    })
  const tally = new Map<string, number>()
  return {
    folder: chat.folder,
    scope: (call) => ({
      chat: id,
      message,
      call: call ?? ctx.clock.ulid(),
      tally,
      async add(part) {
        await state.log.append({ id: message, chat: id }, part, ctx.clock.now().toISOString())
      },
    }),
  }
}

/**
 * Operations of a server: the tools named by its turn, or some toolsets. A client that answers as the analyst gets no
 * operation that would begin another turn.
 */
async function offeredOperations(
  environment: Environment,
  toolsets: readonly OfferedToolset[],
  turn: ServedTurn | undefined,
): Promise<readonly RegisteredOperation[]> {
  // Ignored without a turn: otherwise a server's configuration could expose the analyst's writing tools.
  const allowed = turn && environment['KEN_TOOLS']?.split(',')
  const operations = await loadOperations(allowed === undefined ? toolsets : undefined)
  return operations.filter(
    (operation) => (allowed?.includes(operation.name) ?? true) && !(turn && operation.turn === 'begins'),
  )
}
