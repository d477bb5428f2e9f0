import { sha256 } from '../../../kernel/domain/sha256.ts'
import { ellipsis } from '../../../kernel/domain/text.ts'
import { visibleDeep, visibleLine } from '../../../kernel/domain/trust/visible.ts'

/** Server tool as it may be offered to a model. Everything but the name is third-party text. */
export interface ServerTool {
  readonly server: string
  /** The server's name for it. */
  readonly tool: string
  /** `server__tool`: no Ken operation has two underscores, so none can be shadowed. */
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Hash of the server's whole description of it: a person's approval covers only this version. */
  readonly mark: string
}

export interface ReadTools {
  readonly tools: readonly ServerTool[]
  /** Why other tools are skipped, one line each. */
  readonly left: readonly string[]
}

// The description and schema of every tool cost tokens in every turn.
const MOST_TOOLS = 64
const LONGEST_DESCRIPTION = 500
const LONGEST_SCHEMA = 8_000
const DEEPEST_SCHEMA = 12
// Maximum that providers accept for a tool name.
const LONGEST_NAME = 64

/** Reads the tools a server lists; those that cannot be offered safely are skipped and reported. */
export function readTools(server: string, listed: readonly unknown[]): ReadTools {
  const tools = new Map<string, ServerTool>()
  const left: string[] = []
  for (const raw of listed.slice(0, MOST_TOOLS)) {
    const tool = readTool(server, raw)
    if (typeof tool === 'string') left.push(tool)
    else {
      const name = tools.has(tool.name) ? markedName(tool) : tool.name
      if (tools.has(name)) left.push(`"${tool.name}" is there twice.`)
      else tools.set(name, { ...tool, name })
    }
  }
  if (listed.length > MOST_TOOLS) left.push(`Only ${MOST_TOOLS} of its ${listed.length} tools are offered.`)
  return { tools: [...tools.values()], left }
}

function readTool(server: string, raw: unknown): ServerTool | string {
  const { name, title, description, inputSchema } = (raw ?? {}) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name.trim() === '') return 'A tool without a name is left out.'
  const shown = visibleLine(name).slice(0, 60)
  const schema = readSchema(inputSchema)
  if (typeof schema === 'string') return `"${shown}" is left out: ${schema}.`
  const words = visibleLine(typeof description === 'string' ? description.slice(0, 10 * LONGEST_DESCRIPTION) : '')
  return {
    server,
    tool: name,
    name: toolName(server, name),
    description: `From the MCP server "${server}", in its own words: ${ellipsis(words, LONGEST_DESCRIPTION) || 'nothing'}`,
    schema,
    mark: sha256(JSON.stringify([server, name, title, description, inputSchema])).slice(0, 16),
  }
}

/** The first two underscores in a row end the name of the server. */
function toolName(server: string, tool: string): string {
  const first = part(server).replaceAll(/_+/g, '_')
  return `${first}__${part(tool)}`.slice(0, LONGEST_NAME).replace(/_+$/, '')
}

const part = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, 50) || 'x'

const markedName = ({ name, tool }: ServerTool): string =>
  `${name.slice(0, LONGEST_NAME - 7)}_${sha256(tool).slice(0, 6)}`

/** JSON Schema of an object, or why it cannot be used. */
function readSchema(given: unknown): Readonly<Record<string, unknown>> | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'it does not say what it takes'
  const { $schema: _dialect, $id: _id, ...schema } = given as Record<string, unknown>
  if ((schema['type'] ?? 'object') !== 'object') return 'it takes something else than named fields'
  const fault = schemaFault(schema, 0)
  if (fault !== undefined) return fault
  // Measured only after the nesting depth was checked.
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) return 'what it takes is described at too great a length'
  return visibleDeep({ ...schema, type: 'object' })
}

function schemaFault(value: unknown, depth: number): string | undefined {
  if (depth > DEEPEST_SCHEMA) return 'what it takes is nested too deep'
  if (typeof value !== 'object' || value === null) return undefined
  const reference = (value as { readonly $ref?: unknown }).$ref
  if (typeof reference === 'string' && !reference.startsWith('#')) return 'its schema refers to another place'
  for (const inner of Object.values(value)) {
    const fault = schemaFault(inner, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
