import { mentionsIn } from '../../database/mentions.ts'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { migrate } from '../../database/schema/migrate.ts'
import { tracedDatabase } from '../../database/traced.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../kernel/ports/projects.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { Tracer } from '../../kernel/ports/tracer.ts'
import { systemRandom } from '../../kernel/system/random.ts'
import { keepsVectors } from '../../memory/index/postgres/index.ts'
import { declaredBy } from '../../operations/declared-by.ts'
import { loadServed } from '../../operations/registry.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import type { Store } from '../../record/ports/store.ts'
import { openPostgresStores } from '../../record/store/postgres/index.ts'
import { openRecordNews } from '../../record/store/postgres/record-news.ts'
import type { RecordNews } from '../../record/store/postgres/record-news.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import { openVectorScan } from '../../retrieval/vectors/index.ts'
import type { SignInParts } from '../../surfaces/http/sign-in/sign-in-options.ts'
import type { RecordRoutes } from '../../surfaces/http/team/record-routes.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { openChannelAsks } from '../../team/adapters/postgres-channel-asks.ts'
import { openRetention } from '../../team/adapters/postgres-retention.ts'
import { callerOfToken } from '../../team/authenticate.ts'
import { openPostgresAuthorizations } from '../../team/authorizations/postgres/index.ts'
import { openDataExport } from '../../team/data-export/index.ts'
import type { Caller } from '../../team/domain/may.ts'
import { permissionOf, type Permission } from '../../team/domain/permission.ts'
import { expire } from '../../team/expire.ts'
import { openPostgresJobs } from '../../team/jobs/postgres/index.ts'
import { openInvitations } from '../../team/people/invitations.ts'
import { openPeople } from '../../team/people/people.ts'
import { openTeamProjects } from '../../team/people/team-projects.ts'
import { openTokens } from '../../team/people/tokens.ts'
import type { AuditLog } from '../../team/ports/audit-log.ts'
import type { AuthorizationStore } from '../../team/ports/authorizations.ts'
import type { ChannelAsks } from '../../team/ports/channel-asks.ts'
import type { DataExport } from '../../team/ports/data-export.ts'
import type { Invitations, People } from '../../team/ports/people.ts'
import type { RetentionRules } from '../../team/ports/retention.ts'
import type { TeamProjects } from '../../team/ports/team-projects.ts'
import type { Tokens } from '../../team/ports/tokens.ts'
import { openAttemptLimits } from '../../team/sign-in/attempt-limits.ts'
import { openBrowserSessions } from '../../team/sign-in/browser-sessions.ts'
import { openOneTimeSecrets } from '../../team/sign-in/one-time-secrets.ts'
import { openPasskeyStore } from '../../team/sign-in/passkey-store.ts'
import { openSignInCodes } from '../../team/sign-in/sign-in-codes.ts'
import { offerRecord } from '../../team/team-record/store.ts'
import { queueDeliveries } from '../../team/webhooks/postgres/index.ts'
import { openPastRecords } from '../open-past.ts'
import type { Environment } from '../settings.ts'
import { VERSION } from '../version.ts'
import { openTeamAnalyst } from './open-team-analyst.ts'
import type { TeamParts } from './team-context.ts'
import { openTeamContexts, type ServedContexts } from './team-contexts.ts'
import { SERVER_JOBS, serverJobs, type TeamJobs } from './team-jobs.ts'
import { openTeamMemory, type TeamMemory } from './team-memory.ts'
import { openTeamModels } from './team-models.ts'
import { openTeamWebhooks, type TeamWebhooks } from './team-webhooks.ts'

export interface Team {
  readonly operations: readonly RegisteredOperation[]
  readonly parts: Omit<TeamParts, 'redactor' | 'desk'>
  readonly people: People
  readonly invitations: Invitations
  readonly projects: TeamProjects
  readonly tokens: Tokens
  readonly signIn: SignInParts
  /** Grants of people to their agents. */
  readonly grants: AuthorizationStore
  readonly records: RecordRoutes
  /** Releases requests that wait for record changes. */
  letGo(): Promise<void>
  /** A replica's work besides requests. */
  readonly work: TeamJobs
  readonly auditLog: AuditLog
  /** Rows of a project that contain one of the texts. */
  mentions(project: string, texts: readonly string[]): ReturnType<typeof mentionsIn>
  readonly channelAsks: ChannelAsks
  readonly retention: RetentionRules
  readonly exported: DataExport
  readonly memory: TeamMemory
  /** The contexts of projects, from git. */
  readonly contexts: ServedContexts
  readonly webhooks: TeamWebhooks
  /** The caller of a token; undefined if the token is unknown. */
  callerOf(token: string): Promise<Caller | undefined>
  /** Whether the database answers. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

export interface TeamOptions {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder | undefined>
  /** Environment that names the model; there is no model if undefined. */
  readonly environment?: Environment
  readonly tracer?: Tracer | undefined
  warn?(message: string): void
}

export async function openTeam({ databaseUrl, ...options }: TeamOptions): Promise<Team> {
  const database = await openPostgresDatabase({ url: databaseUrl })
  try {
    return await openTeamOn(options.tracer ? tracedDatabase(database, options.tracer) : database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}

const NO_VECTORS =
  'No pgvector: a search by meaning compares the vectors of a project in memory, which is slow above 100,000 parts. To use it, restore a backup into a database that has the extension (CREATE EXTENSION vector).'

/** Everything that a team shares, on the tables of this version; closing it closes the database. */
export async function openTeamOn(
  database: SqlDatabase,
  { clock, embedder, environment = {}, tracer, warn = () => {} }: Omit<TeamOptions, 'databaseUrl'>,
): Promise<Team> {
  await migrate(database, { clock })
  if (!(await keepsVectors(database))) warn(NO_VECTORS)
  const how = { scan: openVectorScan, announce: queueDeliveries }
  const stores = await openPostgresStores({ database, clock, embedder, ...how })
  const projects = openTeamProjects(database)
  const tokens = openTokens(database)
  const [people, invitations] = [openPeople(database), openInvitations(database)]
  const jobs = openPostgresJobs(database, { clock })
  const memory = openTeamMemory({ database, clock, embedder, jobs, people })
  const listening = await memory.listen()
  const retention = openRetention(database)
  const grants = openPostgresAuthorizations(database)
  const operations = await loadServed()
  const permissions = new Map<string, Permission | undefined>(
    operations.map((operation) => [operation.name, permissionOf(declaredBy(operation))]),
  )
  const past = openPastRecords({ clock, embedder })
  const news = await openRecordNews(database)
  const models = openTeamModels(environment, embedder, warn)
  const contexts = await openTeamContexts(database, { clock, jobs, environment, settings: models.settings })
  const { seals } = contexts.desk
  const webhooks = openTeamWebhooks(database, { clock, environment, people, seals, stores })
  const analyst = await openTeamAnalyst(database, { clock, models, contextOf: contexts.of })
  return {
    operations: tracer ? tracedOperations(operations, tracer) : operations,
    people,
    invitations,
    projects,
    tokens,
    grants,
    signIn: signInParts(database, { clock, people, invitations }),
    records: recordRoutes({ projects, clock, news, openRecord: (project) => stores.open(project) }),
    letGo: () => news.close(),
    auditLog: openAuditLog(database),
    mentions: (project, texts) => mentionsIn(database, project, texts),
    channelAsks: openChannelAsks(database),
    retention,
    exported: openDataExport(database, { clock, version: VERSION }),
    memory,
    contexts,
    webhooks,
    parts: {
      clock,
      version: VERSION,
      bundledEmbedder: embedder,
      projects,
      analyst,
      permissionOf: (name) => permissions.get(name),
      openRecord: (project, event) => stores.open(project, { forOneCall: true, event }),
      eventOf: (project, id) => stores.event(project, id),
      openMemory: (project, person) => memory.open(project, person),
      openPast: (store, asOf) => past(store, asOf, async () => undefined),
    },
    work: {
      jobs,
      handlers: {
        'chat-upkeep': () => analyst.tidy(),
        embedding: memory.embed,
        'context-pull': contexts.pull,
        'deletion-expiry': () => expire({ retention, authorizations: grants.authorizations, clock }),
      },
      async due() {
        await jobs.put(SERVER_JOBS, serverJobs(clock.now()))
        await contexts.due()
      },
    },
    callerOf: (token) => callerOfToken({ tokens, clock }, token),
    isReady: database.answers,
    async close() {
      await news.close()
      await analyst.close()
      await contexts.close()
      await listening.close()
      await stores.close()
      await database.close()
    },
  }
}

const signInParts = (
  database: SqlDatabase,
  given: Pick<SignInParts, 'clock' | 'people' | 'invitations'>,
): SignInParts => ({
  ...given,
  chance: systemRandom,
  sessions: openBrowserSessions(database),
  codes: openSignInCodes(database),
  limits: openAttemptLimits(database),
  secrets: openOneTimeSecrets(database),
  passkeys: openPasskeyStore(database),
})

interface RecordRoutesParts {
  readonly projects: TeamProjects
  readonly clock: Clock
  readonly news: Pick<RecordNews, 'tip' | 'changed'>
  openRecord(project: ProjectRef): Store
}

/** Routes that serve the records to people's machines. */
function recordRoutes({ projects, clock, news, openRecord }: RecordRoutesParts): RecordRoutes {
  const store = (id: string): Store => openRecord({ id, name: '', mode: 'cloud', location: '' })
  return {
    ...news,
    standing: (person, project) => projects.standing(person, project),
    nameFor: async (person, project) => (await projects.list(person)).find(({ id }) => id === project)?.name ?? '',
    async create({ id, name }, { person, organisation }) {
      const createdAt = clock.now().toISOString()
      const made = await projects.create({ id, name, organisation, access: 'organisation', createdAt }, person)
      if (made.id !== id)
        throw new AppError('conflict', `The team already has a project named ${name}.`, {
          hint: 'Rename this record, or attach this folder to that project.',
        })
    },
    record: (project, person) => offerRecord(store(project), person),
    earlier: (project, wanted) => store(project).history.texts(wanted),
  }
}

/** The same operations, with a span for each run. */
const tracedOperations = (operations: readonly RegisteredOperation[], tracer: Tracer): readonly RegisteredOperation[] =>
  operations.map((operation) => ({
    ...operation,
    run: (context, input) =>
      tracer.span(
        operation.name,
        { facts: { 'ken.effect': operation.effect, 'ken.surface': context.origin?.surface ?? '' } },
        () => operation.run(context, input),
      ),
  }))
