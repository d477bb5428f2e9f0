import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { orStopped } from '../../kernel/domain/stop.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { toAbortSignal } from '../../kernel/system/model-http.ts'
import { readAnswer } from '../domain/tool-server/server-answer.ts'
import { SERVERS_FILE, type ServerPlace } from '../domain/tool-server/server-config.ts'
import { readTools, type ReadTools } from '../domain/tool-server/server-tool.ts'
import type { OfferedTools, ServerOpening, ToolServer, ToolServers } from '../ports/tool-servers.ts'
import { connect, PATIENCE, type Connection, type Patience } from './connect.ts'

export interface McpServersParts {
  readonly openings: readonly ServerOpening[]
  /** Working directory of programs. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly patience?: Patience
}

/**
 * Programs need these to start at all. Everything else in Ken's environment, above all keys and passwords, is withheld
 * from a server unless its entry names it.
 */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'USERNAME',
  'USERPROFILE',
  'PATHEXT',
]

interface Held {
  /** Everything that determines the connection. */
  readonly key: string
  readonly opening: Promise<Connection>
}

/** MCP servers, each a separate process or an address; kept open between calls. */
export function openMcpServers({ openings, folder, environment, patience = PATIENCE }: McpServersParts): ToolServers {
  const held = new Map<string, Held>()
  const inherited = Object.fromEntries(
    INHERITED.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
  const named = (name: string): ServerOpening => {
    const found = openings.find((one) => one.name === name)
    if (found !== undefined) return found
    const names = openings.map((one) => one.name)
    throw unknownName('MCP server', name, names)
  }
  const drop = async (name: string): Promise<void> => {
    const old = held.get(name)
    held.delete(name)
    await (await old?.opening.catch(() => undefined))?.close().catch(() => {})
  }
  const admitted = async (opening: ServerOpening): Promise<ServerPlace> => {
    try {
      if (opening.off)
        throw new AppError('unavailable', `MCP server ${opening.name} is disabled.`, {
          hint: `Remove "disabled" from ${SERVERS_FILE}.`,
        })
      return opening.admit()
    } catch (error) {
      // Trust was revoked while it ran.
      await drop(opening.name)
      throw error
    }
  }
  const connected = async (opening: ServerOpening): Promise<Connection> => {
    const { name } = opening
    const place = await admitted(opening)
    const key = JSON.stringify(place)
    const known = held.get(name)
    const connection = known?.key === key ? await known.opening.catch(() => undefined) : undefined
    if (connection?.isOpen() === true) return connection
    // Another call may have reopened it while this one waited.
    if (held.get(name) === known) {
      const old = drop(name)
      held.set(name, {
        key,
        opening: old.then(() => connect({ name, place, folder, environment: inherited, patience })),
      })
    }
    return held.get(name)!.opening
  }
  const toolsOf = async (opening: ServerOpening, signal: AbortSignal): Promise<ReadTools> =>
    readTools(opening.name, await (await orStopped(connected(opening), signal)).list(signal))
  return {
    servers: () => openings.map(asServer),
    async tools(stop, server) {
      const signal = toAbortSignal(stop)
      const asked = server === undefined ? openings.filter((one) => asServer(one).state === 'allowed') : [named(server)]
      const found = await Promise.all(asked.map((one) => offeredBy(one.name, () => toolsOf(one, signal))))
      return { tools: found.flatMap(({ tools }) => tools), problems: found.flatMap(({ problems }) => problems) }
    },
    async call(tool, input, stop) {
      const signal = toAbortSignal(stop)
      const opening = named(tool.server)
      // A server may list one tool, wait for approval, and then change it.
      const now = (await toolsOf(opening, signal)).tools.find((one) => one.tool === tool.tool)
      if (now?.mark !== tool.mark)
        throw new AppError('conflict', `${tool.name} has changed since it was approved.`, {
          hint: 'It was not called. Ask again to use the new version.',
        })
      const connection = await orStopped(connected(opening), signal)
      const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
      return readAnswer(await connection.call(tool.tool, fields, signal))
    },
    async close() {
      await Promise.all([...held.keys()].map(drop))
    },
  }
}

function asServer(opening: ServerOpening): ToolServer {
  const { name, where, off } = opening
  if (off) return { name, where, state: 'off' }
  try {
    opening.admit()
    return { name, where, state: 'allowed' }
  } catch (thrown) {
    const { code, message, hint } = toAppError(thrown)
    return {
      name,
      where,
      state: code === 'forbidden' ? 'untrusted' : 'faulty',
      problem: message,
      ...(hint !== undefined && { hint }),
    }
  }
}

async function offeredBy(server: string, list: () => Promise<ReadTools>): Promise<OfferedTools> {
  try {
    const { tools, left } = await list()
    return { tools, problems: left.map((problem) => ({ server, problem })) }
  } catch (thrown) {
    const { code, message, hint } = toAppError(thrown)
    if (code === 'stopped') throw thrown
    return { tools: [], problems: [{ server, problem: message, ...(hint !== undefined && { hint }) }] }
  }
}
