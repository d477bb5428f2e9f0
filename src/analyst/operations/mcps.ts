import { z } from 'zod'
import { SERVERS_FILE, serverKey } from '../../context/domain/tool-server/server-config.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import type { OfferedTools, ToolServer } from '../../context/ports/tool-servers.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { plural } from '../../kernel/domain/text.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'

const tool = z.object({ name: z.string(), description: z.string() })

const serverRow = z.object({
  name: z.string(),
  where: z.string(),
  state: z.enum(['allowed', 'untrusted', 'faulty', 'off']),
  reaches: z.array(z.string()).describe('Its permissions, granted or requested.'),
  problem: z.string().optional(),
  hint: z.string().optional(),
  tools: z.array(tool),
})

type ServerRow = z.output<typeof serverRow>

export const mcpsList = defineOperation({
  name: 'mcps_list',
  title: 'MCP servers of the analyst',
  summary: 'List this project’s MCP servers with their trust and tools.',
  details: `They are defined in ${SERVERS_FILE}: {"mcpServers": {"name": {"command": "npx", "args": ["…"]}}}, or "url" for Streamable HTTP; \${NAME} is filled from the environment. None is started until you trust its exact access (\`ken trust\`); --quick starts none. The analyst asks you before each call of one of their tools.`,
  effect: 'read',
  words: 'mcp',
  needs: ['context'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    quick: z.boolean().default(false).describe('Do not start the servers; omits their tools.'),
  },
  output: { file: z.string(), servers: z.array(serverRow) },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const { toolServers } = project
    const found = input.quick ? NOTHING : await toolServers.tools(ctx.signal ?? NEVER)
    return {
      file: SERVERS_FILE,
      servers: await Promise.all(toolServers.servers().map((one) => rowOf(project, one, found))),
    }
  },
  render: ({ file, servers }, _input, view = PLAIN) =>
    servers.length === 0
      ? `There is no MCP server in ${file}.`
      : servers.map((one) => renderServer(one, view)).join('\n'),
  exit: ({ servers }) => (servers.some(({ state }) => state === 'faulty') ? 1 : 0),
})

export const mcpsTest = defineOperation({
  name: 'mcps_test',
  title: 'Test MCP servers',
  summary: 'Test this project’s MCP servers and list their tools.',
  effect: 'read',
  words: 'mcp',
  needs: ['context'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['server'],
  input: {
    server: z.string().min(1).max(200).optional().describe('Server to test; default: all trusted ones.'),
  },
  output: { servers: z.array(serverRow.extend({ ok: z.boolean(), milliseconds: z.number() })) },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const all = project.toolServers.servers()
    const asked = all.filter(({ name }) => input.server === undefined || name === input.server)
    if (asked.length === 0 && input.server !== undefined)
      throw unknownName(
        'MCP server',
        input.server,
        all.map(({ name }) => name),
      )
    // Restarts the servers: a server that is already running would only prove that it once started.
    await project.toolServers.close()
    const servers = await Promise.all(
      asked
        .filter(({ state }) => state !== 'off')
        .map(async (one) => {
          const started = performance.now()
          const found =
            one.state === 'allowed' ? await project.toolServers.tools(ctx.signal ?? NEVER, one.name) : NOTHING
          const row = await rowOf(project, one, found)
          const isUsed = one.state === 'allowed' && (row.problem === undefined || row.tools.length > 0)
          return { ...row, ok: isUsed, milliseconds: Math.round(performance.now() - started) }
        }),
    )
    return { servers }
  },
  render: ({ servers }, _input, view = PLAIN) =>
    servers.length === 0
      ? `There is no MCP server in ${SERVERS_FILE}.`
      : servers
          .map((one) =>
            one.ok
              ? `${view.mark('good', 'ok')}      ${one.name}  ${plural(one.tools.length, 'tool')}  ${(one.milliseconds / 1000).toFixed(1)} s${one.problem === undefined ? '' : `\n        ${one.problem}`}`
              : `${view.mark('bad', 'failed')}  ${one.name}  ${one.problem ?? ''}\n        ${one.hint ?? ''}`.trimEnd(),
          )
          .join('\n'),
  exit: ({ servers }) => (servers.every(({ ok }) => ok) ? 0 : 1),
})

const NOTHING: OfferedTools = { tools: [], problems: [] }
const NEVER = { aborted: false, addEventListener() {}, removeEventListener() {} }

async function rowOf(
  project: ContextProject,
  server: ToolServer,
  { tools, problems }: OfferedTools,
): Promise<ServerRow> {
  const reach = project.reach().find(({ key }) => key === serverKey(server.name))
  const own = problems.filter((one) => one.server === server.name)
  const problem = server.problem ?? own.map((one) => one.problem).join(' ')
  const hint = server.hint ?? own.find((one) => one.hint !== undefined)?.hint
  const isKnown = reach?.allowed === true
  return {
    name: server.name,
    where: server.where,
    state: server.state,
    reaches: [...(reach?.lines ?? [])],
    ...(problem !== '' && { problem: (await project.redact(problem)).text }),
    ...(hint !== undefined && { hint }),
    tools: isKnown
      ? tools.filter((one) => one.server === server.name).map(({ name, description }) => ({ name, description }))
      : [],
  }
}

const STATES: Readonly<Record<ServerRow['state'], { tone: 'good' | 'warning' | 'bad' | 'dim'; says: string }>> = {
  allowed: { tone: 'good', says: 'trusted' },
  untrusted: { tone: 'warning', says: 'not trusted' },
  faulty: { tone: 'bad', says: 'faulty' },
  off: { tone: 'dim', says: 'off' },
}

function renderServer({ name, where, state, problem, hint, tools }: ServerRow, view: View): string {
  const { tone, says } = STATES[state]
  return [
    `${view.mark('title', name)}  ${view.mark(tone, says)}  ${where}`.trimEnd(),
    ...(problem === undefined ? [] : [`  ${[problem, hint].filter((part) => part !== undefined).join(' ')}`]),
    ...tools.map((one) => `  ${one.name}  ${view.mark('dim', one.description)}`),
  ].join('\n')
}
