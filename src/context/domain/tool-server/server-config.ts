import { z } from 'zod'
import { readJson, valueAt } from '../../../kernel/domain/text/json-document.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import type { ConfigEntry } from '../context-project/config.ts'
import { SECRET_VARIABLE } from '../context-project/references.ts'
import { entryName, type Reached } from '../context-project/source-rules.ts'

/** File in which a context project lists the MCP servers of its analyst. */
export const SERVERS_FILE = 'agent/mcps/mcp.json'

/** Server as configured, with environment references unresolved. */
export interface ServerEntry {
  readonly name: string
  readonly how: ServerPlace
  /** Disabled in the file. */
  readonly off: boolean
}

export type ServerPlace =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'address'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      /** May be in a private network although its name does not show it. */
      readonly isPrivate: boolean
    }

export interface ServerFault {
  /** Undefined if it refers to the whole file. */
  readonly name?: string
  readonly problem: string
}

export interface ReadServers {
  readonly servers: readonly ServerEntry[]
  readonly faults: readonly ServerFault[]
}

const LARGEST = 256 * 1024
const MOST_SERVERS = 32

/** An invalid entry is reported and does not affect the others. */
export function readServers(text: string): ReadServers {
  if (text.trim() === '') return { servers: [], faults: [] }
  if (text.length > LARGEST) return wrong('it is larger than 256 KB.')
  let found: unknown
  try {
    const document = readJson(text)
    found = valueAt(document, ['mcpServers']) ?? valueAt(document, ['servers'])
  } catch (error) {
    return wrong(`${toAppError(error).message.replace(/\.$/, '')}.`)
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    return wrong('it has no "mcpServers": {"name": {"command": …}}.')
  const named = Object.entries(found)
  const read = named.slice(0, MOST_SERVERS).map(([name, value]) => readServer(name, value))
  return {
    servers: read.flatMap((one) => ('how' in one ? [one] : [])),
    faults: [
      ...read.flatMap((one) => ('problem' in one ? [one] : [])),
      ...(named.length > MOST_SERVERS ? [{ problem: `only the first ${MOST_SERVERS} servers are used.` }] : []),
    ],
  }
}

const wrong = (problem: string): ReadServers => ({ servers: [], faults: [{ problem }] })

const texts = z.record(z.string().regex(/^[\w-]{1,100}$/), z.coerce.string().max(8_000)).default({})

/** Other clients keep additional settings in such a file. */
const server = z.looseObject({
  type: z.string().optional(),
  transport: z.string().optional(),
  command: z.string().min(1).max(2_000).optional(),
  args: z.array(z.coerce.string().max(8_000)).max(200).default([]),
  env: texts,
  url: z.string().min(1).max(2_000).optional(),
  headers: texts,
  disabled: z.boolean().default(false),
  allowPrivate: z.boolean().default(false),
})

function readServer(name: string, value: unknown): ServerEntry | ServerFault {
  const shown = visibleLine(name).slice(0, 80)
  if (!entryName.safeParse(name).success)
    return { name: shown, problem: 'a name is letters, digits, dots, dashes and underscores.' }
  const parsed = server.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { name, problem: `"${visibleLine(issue!.path.join('.'))}" is not what it should be: ${issue!.message}.` }
  }
  const { command, args, env, url, headers, disabled, allowPrivate } = parsed.data
  const type = parsed.data.type ?? parsed.data.transport
  if (type?.toLowerCase() === 'sse')
    return { name, problem: 'the transport "sse" is no longer in use; name the address for Streamable HTTP.' }
  if ((command === undefined) === (url === undefined))
    return { name, problem: 'give either "command", for a program, or "url", for an address.' }
  const how: ServerPlace =
    command === undefined
      ? { kind: 'address', url: url!, headers, isPrivate: allowPrivate }
      : { kind: 'command', command, args, env }
  return { name, how, off: disabled }
}

export const serverKey = (name: string): string => `mcp/${name}`

/** Server entry for trust: everything that determines which program runs, or which data is sent where. */
export function serverConfigEntry({ name, how }: ServerEntry): ConfigEntry {
  const given = Object.entries(how.kind === 'command' ? how.env : how.headers)
  return {
    key: serverKey(name),
    name,
    list: SERVERS_FILE,
    value: how,
    secrets: given.map(([field]) => field).filter((field) => SECRET_VARIABLE.test(field) || /cookie/i.test(field)),
    reaches: [
      ...(how.kind === 'command' ? [{ runs: [how.command, ...how.args] }] : addressOf(how)),
      ...given
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([field, value]) => ({ gives: how.kind === 'command' ? 'variable' : 'header', field, value }) as const),
    ],
  }
}

function addressOf({ url, isPrivate }: Extract<ServerEntry['how'], { kind: 'address' }>): readonly Reached[] {
  return [{ fetches: url, ...(isPrivate && { with: 'addresses of a private network allowed' }) }]
}
