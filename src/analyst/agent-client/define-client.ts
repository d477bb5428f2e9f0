import { mkdirSync, mkdtempSync, rmSync, writeFileSync, accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, delimiter, dirname, isAbsolute } from 'node:path'
import type { AgentClientName } from '../../kernel/domain/agent-client-name.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { throwIfStopped } from '../../kernel/domain/stop.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { AgentClient, ClientRequest } from '../ports/agent-client.ts'
import type { EventReader } from './read-event.ts'
import { runClient } from './run-client.ts'
import { openTether, TETHER } from './server-tether.ts'

/** Dependencies of a client. */
export interface ClientParts {
  /** Ken's full environment: the client gets the part it needs, Ken's server gets all of it. */
  readonly environment: Environment
  readonly home: string
  /** Parent of the folders in which clients run; each folder stays, because clients identify their sessions by it. */
  readonly folder: string
  /** The model to request from the client; its default if undefined. */
  readonly model?: string
  readonly redactor: Redactor
  /** Maximum time without output, in milliseconds. */
  readonly silence?: number
}

export interface ClientDefinition {
  readonly name: AgentClientName
  /** Display name. */
  readonly title: string
  readonly program: string
  /** Folders below the user's home that the client's installer uses. */
  readonly places: readonly string[]
  /** Command that installs the client. */
  readonly install: string
  /** How to log in, as text for the user. */
  readonly login: string
  /** Whether an environment variable belongs to the client: file locations and login. */
  isOwn(name: string, place: ClientPlace): boolean
  /** False if the client is known to have no login. Checks locally, without network. */
  isLoggedIn(place: ClientPlace): Promise<boolean>
  start(run: ClientRun): Promise<ClientStart>
  reader(run: ClientRun): EventReader
}

export interface ClientPlace {
  readonly program: string
  readonly home: string
  /** Ken's own environment. */
  readonly full: Environment
  /** The client's environment. */
  readonly environment: Readonly<Record<string, string>>
}

export interface ClientRun extends ClientPlace {
  readonly request: ClientRequest
  /** Working directory: empty except for Ken's files. */
  readonly folder: string
  readonly model: string | undefined
  /** Starts Ken's server; `variables` must be in its environment. */
  readonly server: { readonly command: readonly string[]; readonly variables: Readonly<Record<string, string>> }
  /** Writes a file that only this user can read and that is removed after the run; returns its path. */
  keep(name: string, text: string): string
}

export interface ClientStart {
  readonly arguments: readonly string[]
  /** Variables in addition to the client's part of Ken's environment. */
  readonly environment?: Readonly<Record<string, string>>
  readonly input: string
}

/** Name of Ken's server in clients. */
export const SERVER = 'ken'

const SILENCE = 300_000

export function defineClient(definition: ClientDefinition): (parts: ClientParts) => AgentClient {
  return (parts) => ({
    id: ['agent', definition.name, ...(parts.model === undefined ? [] : [parts.model])].join(':'),
    async problem() {
      const place = placeOf(definition, parts)
      if (place === undefined) return missing(definition).line
      const isReady = await definition.isLoggedIn(place)
      return isReady ? undefined : loggedOut(definition).line
    },
    ask: (request) => ask(definition, parts, request),
  })
}

async function* ask(definition: ClientDefinition, parts: ClientParts, request: ClientRequest) {
  throwIfStopped(request.signal)
  const place = placeOf(definition, parts)
  if (place === undefined) throw missing(definition)
  // The session id becomes a command-line argument and a file name.
  if (request.session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(request.session))
    throw await clientFailure(definition, 'session not found', parts.redactor)
  if (!(await definition.isLoggedIn(place))) throw loggedOut(definition)
  const redacted = async (text: string) => (await parts.redactor.redact(text)).text
  const own = { ...request, system: await redacted(request.system), prompt: await redacted(request.prompt) }
  const folder = join(parts.folder, definition.name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Only this user may enter the folder.
  const passing = mkdtempSync(join(tmpdir(), 'ken-'))
  try {
    const tether = await openTether(passing, {
      ...definedOf(place.full),
      ...toolsOf(request),
      ...request.server.environment,
    })
    try {
      const run: ClientRun = {
        ...place,
        request: own,
        folder,
        model: parts.model,
        server: { command: request.server.command, variables: { [TETHER]: tether.address } },
        keep(name, text) {
          const path = join(passing, name)
          writeFileSync(path, text, { mode: 0o600 })
          return path
        },
      }
      const { environment, ...start } = await definition.start(run)
      throwIfStopped(request.signal)
      yield* runClient({
        start: { ...start, program: place.program, folder, environment: { ...place.environment, ...environment } },
        reader: definition.reader(run),
        tether,
        limits: request,
        signal: request.signal,
        silence: parts.silence ?? SILENCE,
        failed: (said, before) => clientFailure(definition, said, parts.redactor, before),
      })
    } finally {
      await tether.cut()
    }
  } finally {
    rmSync(passing, { recursive: true, force: true })
  }
}

function placeOf(definition: ClientDefinition, { environment: full, home }: ClientParts): ClientPlace | undefined {
  const program = findProgram({ ...definition, home, path: full['PATH'] })
  if (program === undefined) return undefined
  const known = { program, home, full, environment: {} }
  return { ...known, environment: clientEnvironment(full, (name) => definition.isOwn(name, known)) }
}

const definedOf = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** Restricts the tools in the server itself, regardless of how a client handles its flags. */
const toolsOf = ({ tools }: ClientRequest): Record<string, string> => ({ KEN_TOOLS: tools.join(',') })

const missing = ({ title, install }: ClientDefinition): AppError =>
  new AppError('unavailable', `${title} is not installed here.`, {
    hint: `Install it (\`${install}\`), or name another model or client with \`ken config set model.name …\`.`,
  })

const loggedOut = ({ title, login }: ClientDefinition): AppError =>
  new AppError('unavailable', `${title} is not logged in.`, { hint: `${login}, then ask again.` })

type Environment = Readonly<Record<string, string | undefined>>

// Variables that any program needs to find its files, its user's keyring and the network.
const EVERY = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
    'XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE PROGRAMDATA PROGRAMFILES',
  ].flatMap((names) => names.split(' ')),
)

/**
 * The part of Ken's environment that a client needs to run and to log in. Excludes database passwords, keys of other
 * services, and variables set by a client in which Ken itself runs.
 */
function clientEnvironment(environment: Environment, isOwn: (name: string) => boolean): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    const upper = name.toUpperCase()
    const isKept = EVERY.has(upper) || upper.startsWith('LC_') || isOwn(name)
    return value !== undefined && isKept ? [[name, value] as const] : []
  })
  const found = Object.fromEntries(kept)
  // A client that is a script needs Node; adds the Node that runs Ken.
  const path = [found['PATH'], dirname(process.execPath)].filter(Boolean).join(delimiter)
  return { ...found, PATH: path, TERM: 'dumb', NO_COLOR: '1' }
}

interface FailedClient {
  readonly title: string
  readonly program: string
  readonly login: string
}

const SHOWN = 300
const LOGGED_OUT =
  /not logged in|log ?in again|please run \/login|invalid api key|authentication_error|authentication failed|\b401\b|set an auth method|token (?:has )?expired/i
const SESSION_GONE =
  /no conversation found|no rollout found|invalid session identifier|session not found|no previous sessions found/i
const TOO_OLD = /unknown (?:option|argument)|unexpected argument|unrecognized (?:option|argument)/i
const MAY_PASS = /overloaded|rate.?limit|\b(?:429|500|502|503|504|529)\b|timed? ?out|connection|network|temporarily/i

/** Describes in one line why a client did not answer, in its own words if possible, with the next step. */
async function clientFailure(client: FailedClient, said: string, redactor: Redactor, all = said): Promise<AppError> {
  const { text } = await redactor.redact(said)
  const line = visibleLine(withoutColours(text)).slice(0, SHOWN)
  if (SESSION_GONE.test(all))
    return new AppError('not_found', `${client.title} no longer has the session of this chat.`, {
      hint: 'Ask again without it.',
    })
  if (LOGGED_OUT.test(line))
    return new AppError('unavailable', `${client.title} is not logged in: ${line}`, {
      hint: `${client.login}, then ask again.`,
    })
  if (TOO_OLD.test(line))
    return new AppError('unavailable', `${client.title} does not support this request: ${line}`, {
      hint: `Update it, then ask again.`,
    })
  return new AppError('unavailable', line === '' ? `${client.title} gave no answer.` : `${client.title}: ${line}`, {
    hint: `Try \`${client.program}\` in a terminal; \`ken debug\` tests it.`,
    details: { retry: MAY_PASS.test(line) },
  })
}

// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001B\[[0-9;]*m/g, '')

interface ProgramQuery {
  readonly program: string
  /** Folders below the user's home that the client's installers use. */
  readonly places: readonly string[]
  readonly home: string
  readonly path: string | undefined
}

const USUAL = ['.local/bin', '.npm-global/bin', '.bun/bin', '.volta/bin', 'bin']
const SHARED = ['/opt/homebrew/bin', '/usr/local/bin']

/**
 * Finds the installed program: on PATH, or in an installer's folder that a desktop's PATH lacks. Relative parts of PATH
 * are ignored: they refer to the folder that Ken was started in, which may be untrusted.
 */
function findProgram({ program, places, home, path }: ProgramQuery): string | undefined {
  const folders = [
    ...(path ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
    ...[...places, ...USUAL].map((folder) => join(home, folder)),
    ...SHARED,
  ]
  // A cmd.exe script cannot be started without a shell.
  const name = process.platform === 'win32' ? `${program}.exe` : program
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
