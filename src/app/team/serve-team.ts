import { setTimeout } from 'node:timers/promises'
import type { ErrorCode } from '../../kernel/domain/errors.ts'
import { openAllowances } from '../../kernel/domain/limits/allowance.ts'
import { openMetrics, type Metrics } from '../../kernel/domain/metrics.ts'
import type { Origin } from '../../kernel/domain/origin.ts'
import { secretRedactor } from '../../kernel/domain/secrets/redact.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { Tracer } from '../../kernel/ports/tracer.ts'
import { call } from '../../operations/call.ts'
import { listen, type Listening } from '../../surfaces/http/listen.ts'
import { openRequestSources } from '../../surfaces/http/team/request-source.ts'
import { buildTeamApp, type TeamAppOptions } from '../../surfaces/http/team/team-app.ts'
import { tracedRequests } from '../../surfaces/http/team/traced-requests.ts'
import type { NamedPlace } from '../../surfaces/mcp/server.ts'
import { openAuditTrail } from '../../team/audit-trail.ts'
import type { AuditTrail } from '../../team/audit-trail.ts'
import type { Caller, Rights } from '../../team/domain/may.ts'
import { openSignInAudit } from '../../team/sign-in-audit.ts'
import { startWorkers, type JobEvent, type Worker } from '../run-jobs.ts'
import { VERSION } from '../version.ts'
import { auditedContext } from './audited-context.ts'
import { openBrowserRoutes, type BrowserRoutesOptions } from './browser-routes.ts'
import { callerProjects } from './caller-projects.ts'
import type { Team } from './open-team.ts'
import { openTeamChannels, type TeamChannels, type TeamChannelsByProject } from './team-channels.ts'
import type { ServerContext, TeamParts } from './team-context.ts'
import { jobLine, workForTeam, type JobLine } from './team-jobs.ts'
import { teamMcp, type Asking } from './team-mcp.ts'

export interface TeamServer extends Omit<Listening, 'drain'> {
  /** Returns the metrics, for the operator only. */
  metrics(): string
  /** Shuts down without losing a request. */
  drain(): Promise<void>
}

export interface TeamServerOptions extends Pick<TeamAppOptions, 'publicUrl' | 'log' | 'recheck'> {
  readonly port: number
  readonly hostname: string
  readonly clock: Clock
  /** Milliseconds that the load balancer needs to redirect requests. */
  readonly notice: number
  /** Number of the operator's proxies in front of the server. */
  readonly proxies?: number
  /** Routes for people at a browser, and for agents they authorise; without it there are only tokens. */
  readonly people?: Omit<BrowserRoutesOptions, 'publicUrl' | 'sources' | 'createProject' | 'told' | 'trace'>
  /** Further channels to the analyst, by project. */
  readonly channels?: TeamChannelsByProject
  logJob?(line: JobLine): void
  trace?(thrown: unknown): void
  readonly tracer?: Tracer | undefined
}

const LIMITS = { person: { burst: 120, perMinute: 1_200 }, nobody: { burst: 600, perMinute: 6_000 } }
const PATIENCE_MS = 25_000
// Minimum interval between checks, as the readiness endpoint is public.
const READY_MS = 500

/** Serves a replica, which stores nothing that another replica would need. */
export async function serveTeam(team: Team, options: TeamServerOptions): Promise<TeamServer> {
  const { publicUrl, clock } = options
  const metrics = openMetrics()
  metrics.gauge('ken_resident_bytes', 'Memory of this process.', () => process.memoryUsage.rss())
  const trail = openAuditTrail(team.auditLog)
  metrics.gauge('ken_audit_lost', 'Entries of the audit log that could not be written.', () => trail.lost())
  const trace = options.trace && { trace: options.trace }
  let isGoing = false
  const contextFor = contextsOf(team, options, trail)
  const projectsOf = async (caller: Caller): Promise<Rights['projects']> =>
    (await team.projects.list(caller.person)).filter(({ id }) => caller.projects?.includes(id) !== false)
  const isReady = rateLimited(team.isReady, READY_MS)
  const sources = openRequestSources(options.proxies ?? 0)
  const createProject = async (asked: Asking, name: string): Promise<string> => {
    const operation = team.operations.find((one) => one.name === 'create_project')!
    return String((await call(contextFor(asked, { surface: 'app' }, {}), operation, { name })).output['id'])
  }
  const people =
    options.people &&
    openBrowserRoutes(team, {
      ...options.people,
      publicUrl,
      sources,
      createProject,
      told: openSignInAudit({ trail, people: team.people, limits: team.signIn.limits, clock }).tell,
      ...trace,
    })
  const channels = openTeamChannels(team, { channels: options.channels ?? new Map(), clock, publicUrl, contextFor })
  const told = auditMachines({ trail, clock, sourceOf: sources.of })
  const app = buildTeamApp({
    hooks: channels.hooks,
    operations: team.operations,
    version: VERSION,
    publicUrl,
    metrics,
    limits: LIMITS,
    allowances: openAllowances(() => clock.now().getTime()),
    log: options.log,
    now: () => clock.now(),
    callerOf: async (token) => (await team.callerOf(token)) ?? (await people?.callerOfGrant(token)),
    sources,
    ...(people && { people: people.door }),
    records: { ...team.records, told },
    gitHooks: team.contexts.hooks,
    memory: {
      ...team.memory,
      clock,
      standing: (person, project) => team.projects.standing(person, project),
      told,
      ...trace,
    },
    isReady: async () => !isGoing && (await isReady()),
    context: async ({ surface, named, ...asked }) => contextFor(asked, { surface }, named),
    mcp: teamMcp(team, { contextFor, projectsOf, ...trace }),
    projectsOf,
    ...(options.recheck !== undefined && { recheck: options.recheck }),
    ...trace,
  })
  const answer = options.tracer
    ? tracedRequests(app.fetch, { tracer: options.tracer, operations: team.operations })
    : app.fetch
  const listening = await listen(answer, options.port, { hostname: options.hostname })
  const worker = await startWork(team, channels, { metrics, options }).catch(async (error: unknown) => {
    await listening.close()
    throw error
  })
  return {
    ...listening,
    async close() {
      await worker.stop()
      await listening.close()
      await trail.close()
    },
    metrics: () => metrics.text(),
    async drain() {
      isGoing = true
      const unused = setTimeout(options.notice).then(team.letGo)
      await Promise.all([listening.drain({ unused, patience: PATIENCE_MS }), worker.stop()])
      await trail.close()
    },
  }
}

type ContextFor = (asked: Asking, origin: Origin, named: NamedPlace) => ServerContext

/** Returns the context of each call: limited to the resources that its caller may access, with every action audited. */
function contextsOf(team: Team, options: TeamServerOptions, trail: AuditTrail): ContextFor {
  const parts = { ...team.parts, redactor: secretRedactor, desk: deskOf(team, options) }
  return ({ caller, source, key }, origin, { project }) => {
    const named = project === undefined ? {} : { named: project }
    const projects = callerProjects(team.projects, { caller, publicUrl: options.publicUrl, ...named })
    // A model drives every MCP client, whatever its token.
    const isOwn = caller.through === 'token' && origin.surface === 'http'
    const by = { user: caller.person, ...(isOwn && { by: 'person' as const }) }
    return auditedContext(parts, { caller, origin: { ...origin, ...by }, projects, key }, { trail, source })
  }
}

/** Starts a replica's work besides requests, counted and logged. */
async function startWork(
  team: Team,
  channels: TeamChannels,
  { metrics, options }: { readonly metrics: Metrics; readonly options: TeamServerOptions },
): Promise<Worker> {
  const { clock, logJob, publicUrl } = options
  const jobs = metrics.counter('ken_jobs_total', 'What became of jobs.')
  const tell = (event: JobEvent): void => {
    jobs.add({ event: event.event, kind: 'job' in event ? event.job.kind : 'queue' })
    const line = jobLine(event, clock.now())
    if (line !== undefined) logJob?.(line)
  }
  const handlers = { ...team.work.handlers, 'webhook-delivery': team.webhooks.deliver(publicUrl) }
  return startWorkers([() => workForTeam({ ...team.work, handlers }, tell), () => channels.work(tell)])
}

export const deskOf = (
  team: Team,
  { publicUrl, people }: Pick<TeamServerOptions, 'publicUrl' | 'people'>,
): TeamParts['desk'] => ({
  publicUrl,
  people: team.people,
  invitations: team.invitations,
  projects: team.projects,
  contexts: team.contexts.desk,
  webhooks: team.webhooks.store,
  webhookSender: team.webhooks.sender,
  tokens: team.tokens,
  sessions: team.signIn.sessions,
  authorizations: team.grants.authorizations,
  chance: team.signIn.chance,
  auditLog: team.auditLog,
  mentions: team.mentions,
  retention: team.retention,
  limits: team.signIn.limits,
  vouched: people?.ways.provider?.domains ?? [],
  mailer: people?.ways.mailer,
})

interface MachineParts {
  readonly trail: Pick<AuditTrail, 'tell'>
  readonly clock: Clock
  sourceOf(request: Request): string
}

/** Audits actions that a person's machine performs on a record or a memory outside of operations. */
const auditMachines =
  ({ trail, clock, sourceOf }: MachineParts) =>
  (
    { request, caller, project }: { readonly request: Request; readonly caller: Caller; readonly project: string },
    { operation, outcome }: { readonly operation: string; readonly outcome: 'ok' | ErrorCode },
  ): Promise<void> =>
    trail.tell({
      at: clock.now().toISOString(),
      organisation: caller.organisation,
      person: caller.person,
      through: caller.through,
      held: caller.held,
      operation,
      effect: 'write',
      // A refused project name is unverified text from the caller.
      project: outcome === 'ok' ? project : undefined,
      subject: undefined,
      outcome,
      surface: 'http',
      client: undefined,
      source: sourceOf(request),
    })

/** Calls `ask` at most once per interval, and returns the same answer to all callers meanwhile. */
function rateLimited<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly at: number } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at >= milliseconds) last = { answer: ask(), at: now }
    return last.answer
  }
}
