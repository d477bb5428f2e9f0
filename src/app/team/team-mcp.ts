import { AsyncLocalStorage } from 'node:async_hooks'
import type { Origin } from '../../kernel/domain/origin.ts'
import { mcpOverHttp } from '../../surfaces/http/serve.ts'
import type { NamedPlace } from '../../surfaces/mcp/server.ts'
import { mayAnywhere, type Caller, type Rights } from '../../team/domain/may.ts'
import { VERSION } from '../version.ts'
import type { Team } from './open-team.ts'
import type { ServerContext } from './team-context.ts'

/** The caller of a request, and its origin. */
export interface Asking {
  readonly caller: Caller
  readonly source: string
  /** Repeating a call with the same key changes the record only once. */
  readonly key?: string | undefined
}

export interface TeamMcpOptions {
  contextFor(asked: Asking, origin: Origin, named: NamedPlace): ServerContext
  projectsOf(caller: Caller): Promise<Rights['projects']>
  trace?(thrown: unknown): void
}

/** MCP for a team: callers see the tools that they may use in any project. */
export function teamMcp(
  team: Team,
  { contextFor, projectsOf, trace }: TeamMcpOptions,
): (request: Request, asked: Asking) => Promise<Response> {
  const asking = new AsyncLocalStorage<Asking>()
  const mcp = mcpOverHttp({
    operations: team.operations,
    toolsets: ['record', 'memory', 'data', 'code', 'team'],
    version: VERSION,
    context: async (origin, named) => contextFor(asking.getStore()!, origin, named),
    lists: async () => {
      const { caller } = asking.getStore()!
      const rights = { caller, projects: await projectsOf(caller) }
      return (name) => mayAnywhere(rights, team.parts.permissionOf(name))
    },
    ...(trace && { trace }),
  })
  return (request, asked) => asking.run(asked, () => mcp(request))
}
