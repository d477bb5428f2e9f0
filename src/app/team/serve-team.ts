import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { openAllowances } from '../../core/limits/allowance.ts'
import { openMetrics } from '../../core/metrics/metrics.ts'
import { secretRedactor } from '../../core/secrets/redact.ts'
import type { Caller } from '../../core/team/may.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Context } from '../../ports/context.ts'
import { listen, type Listening } from '../../surfaces/http/listen.ts'
import { mcpOverHttp } from '../../surfaces/http/serve.ts'
import { buildTeamApp, type TeamAppOptions } from '../../surfaces/http/team/team-app.ts'
import type { NamedPlace } from '../../surfaces/mcp/server.ts'
import { VERSION } from '../version.ts'
import { callerProjects } from './caller-projects.ts'
import type { Team } from './open-team.ts'
import { teamContext } from './team-context.ts'
import { runTeamJobs, type JobLine } from './team-jobs.ts'

export interface TeamServer extends Omit<Listening, 'drain'> {
  /** Only for whoever looks after the server. */
  metrics(): string
  /** Goes without losing a request. */
  drain(): Promise<void>
}

export interface TeamServerOptions extends Pick<TeamAppOptions, 'publicUrl' | 'log'> {
  readonly port: number
  readonly hostname: string
  readonly clock: Clock
  /** Milliseconds that whoever shares out the requests needs to learn that they go elsewhere. */
  readonly notice: number
  logJob?(line: JobLine): void
  trace?(thrown: unknown): void
}

const LIMITS = { person: { burst: 120, perMinute: 1_200 }, nobody: { burst: 600, perMinute: 6_000 } }
const PATIENCE_MS = 25_000

/** A replica: it keeps nothing that another one would miss. */
export async function serveTeam(team: Team, options: TeamServerOptions): Promise<TeamServer> {
  const { publicUrl, clock } = options
  const metrics = openMetrics()
  metrics.gauge('ken_resident_bytes', 'Memory of this process.', () => process.memoryUsage.rss())
  let isGoing = false
  const contextFor = (caller: Caller, origin: Context['origin'], named: NamedPlace): Context =>
    teamContext(
      { ...team.parts, redactor: secretRedactor },
      {
        caller,
        origin: { ...origin, user: caller.person },
        projects: callerProjects(team.projects, {
          caller,
          publicUrl,
          ...(named.project !== undefined && { named: named.project }),
        }),
      },
    )
  const asking = new AsyncLocalStorage<Caller>()
  const mcp = mcpOverHttp({
    operations: team.operations.filter(({ hiddenFrom }) => hiddenFrom.mcp === undefined),
    toolsets: ['record', 'memory'],
    version: VERSION,
    context: async (origin, named) => contextFor(asking.getStore()!, origin, named),
    ...(options.trace && { trace: options.trace }),
  })
  const app = buildTeamApp({
    operations: team.operations,
    version: VERSION,
    publicUrl,
    metrics,
    limits: LIMITS,
    allowances: openAllowances(() => clock.now().getTime()),
    log: options.log,
    now: () => clock.now(),
    callerOf: team.callerOf,
    memory: {
      ...team.memory,
      clock,
      standing: (person, project) => team.projects.standing(person, project),
      ...(options.trace && { trace: options.trace }),
    },
    isReady: async () => !isGoing && (await team.isReady()),
    context: async ({ caller, surface, named }) => contextFor(caller, { surface }, named),
    mcp: (request, caller) => asking.run(caller, () => mcp(request)),
    ...(options.trace && { trace: options.trace }),
  })
  const worker = await runTeamJobs({ ...team, now: () => clock.now(), log: options.logJob ?? (() => undefined) })
  const listening = await listen(app.fetch, options.port, { hostname: options.hostname })
  return {
    ...listening,
    metrics: () => metrics.text(),
    async drain() {
      isGoing = true
      await Promise.all([listening.drain({ unused: setTimeout(options.notice), patience: PATIENCE_MS }), worker.stop()])
    },
    async close() {
      await listening.close()
      await worker.stop()
    },
  }
}
