import type { ToolServers } from '../context/ports/tool-servers.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { enveloped } from '../kernel/domain/trust/envelope.ts'
import type { Redacted } from '../kernel/ports/redactor.ts'
import type { AnalystTool } from './tool.ts'

export interface ServerToolsParts {
  readonly servers: ToolServers
  /** Redacts secrets in a server's answers, which may repeat its input. */
  redact(text: string): Promise<Redacted>
  readonly signal: StopSignal
}

// With more tools a model overlooks important ones, and every turn pays for each.
const MOST_TOOLS = 100

/**
 * Third-party servers' tools for an analyst turn. A person approves each call, whatever a server claims about its
 * tools; a server's answers are data. Also returns warnings about servers that offer less than they should.
 */
export async function serverTools({ servers, redact, signal }: ServerToolsParts): Promise<{
  readonly tools: readonly AnalystTool[]
  readonly notices: readonly string[]
}> {
  const { tools, problems } = await servers.tools(signal)
  // `my.shelf` and `my_shelf` map to the same name: the first keeps it, so that no tool can replace another.
  const named = Map.groupBy(tools, ({ name }) => name)
  const twice = [...named.values()].flatMap(([, ...others]) => others)
  const offered = [...named.values()].map(([first]) => first!).slice(0, MOST_TOOLS)
  const left = named.size - offered.length
  const asTool = (tool: (typeof tools)[number]): AnalystTool => ({
    name: tool.name,
    description: tool.description,
    schema: tool.schema,
    approval: 'person',
    mark: tool.mark,
    async run(input, call) {
      // The person approved the arguments without secrets, so exactly these are sent.
      const { text, failed } = await servers.call(tool, redactDeep(input).value, call.signal)
      const clean = await redact(text)
      const label = { origin: 'mcp', trust: 'untrusted' } as const
      return { text: enveloped(clean.text, label, { server: tool.server, tool: tool.tool }), failed }
    },
  })
  const notices = [
    ...problems.map(({ server, problem }) => (problem.includes(server) ? problem : `MCP server ${server}: ${problem}`)),
    ...twice.map(({ server, name }) => `MCP server ${server}: another server has a tool ${name} already.`),
    ...(left > 0 ? [`${left} tools of MCP servers are left out: a turn takes ${MOST_TOOLS} of them.`] : []),
  ]
  return {
    tools: offered.map(asTool),
    notices: await Promise.all(notices.map(async (line) => (await redact(line)).text)),
  }
}
