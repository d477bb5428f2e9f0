import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentClientName } from '../../kernel/domain/agent-client-name.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { throwIfStopped } from '../../kernel/domain/stop.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { AgentClient, ClientRequest } from '../ports/agent-client.ts'
import { clientEnvironment, type Environment } from './client-environment.ts'
import { clientFailure } from './client-failure.ts'
import { findProgram } from './find-program.ts'
import type { EventReader } from './read-event.ts'
import { runClient } from './run-client.ts'
import { openTether, TETHER } from './server-tether.ts'

/** Dependencies of a client. */
export interface ClientParts {
  /** Ken's full environment: the client gets the part it needs, Ken's server everything. */
  readonly environment: Environment
  /** The user's home folder. */
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
  /** Folders below the user's home that its installer uses. */
  readonly places: readonly string[]
  /** Command that installs it. */
  readonly install: string
  /** How to log in. */
  readonly login: string
  /** Whether an environment variable belongs to it: file locations and login. */
  isOwn(name: string, place: ClientPlace): boolean
  /** False if it is known to have no login: checks locally, without network. */
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
  /** Where it runs: empty except for Ken's files. */
  readonly folder: string
  readonly model: string | undefined
  /** Starts Ken's server; `variables` must be in its environment. */
  readonly server: { readonly command: readonly string[]; readonly variables: Readonly<Record<string, string>> }
  /** Writes a file that only this user can read and that is removed after the run; returns its path. */
  keep(name: string, text: string): string
}

export interface ClientStart {
  readonly arguments: readonly string[]
  /** In addition to its part of Ken's. */
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
  // It becomes a command-line argument and a file name.
  if (request.session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(request.session))
    throw await clientFailure(definition, 'session not found', parts.redactor)
  if (!(await definition.isLoggedIn(place))) throw loggedOut(definition)
  const redacted = async (text: string) => (await parts.redactor.redact(text)).text
  const own = { ...request, system: await redacted(request.system), prompt: await redacted(request.prompt) }
  const folder = join(parts.folder, definition.name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Only this user may enter it.
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

/** The server itself offers nothing else, however a client handles its flags. */
const toolsOf = ({ tools }: ClientRequest): Record<string, string> => ({ KEN_TOOLS: tools.join(',') })

const missing = ({ title, install }: ClientDefinition): AppError =>
  new AppError('unavailable', `${title} is not installed here.`, {
    hint: `Install it (\`${install}\`), or name another model or client with \`ken config set model.name …\`.`,
  })

const loggedOut = ({ title, login }: ClientDefinition): AppError =>
  new AppError('unavailable', `${title} is not logged in.`, { hint: `${login}, then ask again.` })
