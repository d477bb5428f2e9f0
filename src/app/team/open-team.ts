import { openPostgresDatabase } from '../../adapters/database/postgres/index.ts'
import { migrate } from '../../adapters/database/schema/migrate.ts'
import { openPostgresJobs } from '../../adapters/jobs/postgres/index.ts'
import { openInvitations } from '../../adapters/people/postgres/invitations.ts'
import { openPeople } from '../../adapters/people/postgres/people.ts'
import { openTeamProjects } from '../../adapters/people/postgres/team-projects.ts'
import { openTokens } from '../../adapters/people/postgres/tokens.ts'
import { openPostgresStores } from '../../adapters/store/postgres/index.ts'
import { openVectorScan } from '../../adapters/vectors/wasm/index.ts'
import type { Caller } from '../../core/team/may.ts'
import { permissionOf, type Permission } from '../../core/team/permission.ts'
import { declaredBy } from '../../operations/declared-by.ts'
import { loadOperations, type RegisteredOperation } from '../../operations/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Jobs } from '../../ports/jobs.ts'
import type { Invitations, People } from '../../ports/people.ts'
import type { SqlDatabase } from '../../ports/sql-database.ts'
import type { TeamProjects } from '../../ports/team-projects.ts'
import type { Tokens } from '../../ports/tokens.ts'
import { callerOfToken } from '../../team/known-caller.ts'
import { openPastRecords } from '../open-past.ts'
import { VERSION } from '../version.ts'
import { SERVED } from './served.ts'
import type { TeamParts } from './team-context.ts'
import type { TeamHandlers } from './team-jobs.ts'
import { openTeamMemory, type TeamMemory } from './team-memory.ts'

export interface Team {
  readonly operations: readonly RegisteredOperation[]
  readonly parts: Omit<TeamParts, 'redactor'>
  readonly people: People
  readonly invitations: Invitations
  readonly projects: TeamProjects
  readonly tokens: Tokens
  readonly memory: TeamMemory
  readonly jobs: Jobs
  /** What a replica does apart from calls. */
  readonly handlers: readonly TeamHandlers[]
  /** Whoever a token stands for; undefined where it stands for nobody. */
  callerOf(token: string): Promise<Caller | undefined>
  /** Whether the database answers. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

export interface TeamOptions {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder | undefined>
}

/** Everything that a team shares, on the tables of this version. */
export async function openTeam({ databaseUrl, clock, embedder }: TeamOptions): Promise<Team> {
  const database = await openPostgresDatabase({ url: databaseUrl })
  await migrate(database, { clock })
  const stores = await openPostgresStores({ database, clock, embedder, scan: openVectorScan })
  const projects = openTeamProjects(database)
  const tokens = openTokens(database)
  const people = openPeople(database)
  const jobs = openPostgresJobs(database, { clock })
  const memory = openTeamMemory({ database, clock, embedder, jobs, people })
  const listening = await memory.listen()
  const operations = (await loadOperations()).filter(({ name }) => SERVED.has(name))
  const permissions = new Map<string, Permission | undefined>(
    operations.map((operation) => [operation.name, permissionOf(declaredBy(operation))]),
  )
  const past = openPastRecords({ clock, embedder })
  return {
    operations,
    people,
    invitations: openInvitations(database),
    projects,
    tokens,
    memory,
    jobs,
    handlers: [{ embedding: memory.embed }],
    parts: {
      clock,
      version: VERSION,
      bundledEmbedder: embedder,
      projects,
      permissionOf: (name) => permissions.get(name),
      openRecord: (project) => stores.open(project),
      openMemory: (project, person) => memory.open(project, person),
      openPast: (store, asOf) => past(store, asOf, async () => undefined),
    },
    callerOf: (token) => callerOfToken({ tokens, clock }, token),
    isReady: () => isReady(database),
    async close() {
      await listening.close()
      await stores.close()
      await database.close()
    },
  }
}

const isReady = (database: SqlDatabase): Promise<boolean> =>
  database
    .transaction('server', (sql) => sql.query('SELECT 1'))
    .then(
      () => true,
      () => false,
    )
