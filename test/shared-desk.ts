import { systemClock } from '../src/adapters/clock/system/index.ts'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
import { openPostgresJobs } from '../src/adapters/jobs/postgres/index.ts'
import { openPeople } from '../src/adapters/people/postgres/people.ts'
import { openTeamProjects } from '../src/adapters/people/postgres/team-projects.ts'
import { callerProjects } from '../src/app/team/caller-projects.ts'
import { SERVED } from '../src/app/team/served.ts'
import { teamContext } from '../src/app/team/team-context.ts'
import { openTeamMemory, type TeamMemory } from '../src/app/team/team-memory.ts'
import { secretRedactor } from '../src/core/secrets/redact.ts'
import type { Caller } from '../src/core/team/may.ts'
import { permissionOf } from '../src/core/team/permission.ts'
import { call } from '../src/operations/call.ts'
import { declaredBy } from '../src/operations/declared-by.ts'
import { loadOperations } from '../src/operations/registry.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import type { Jobs } from '../src/ports/jobs.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'

export interface SharedDesk {
  readonly memory: TeamMemory
  readonly jobs: Jobs
  /** Somebody of a new organisation with a project in it. */
  found(name: string): Promise<{ person: string; organisation: string; project: string }>
  /** Calls an operation as a team server does. */
  ask(
    who: { readonly person: string; readonly organisation: string },
    operation: string,
    input: Readonly<Record<string, unknown>>,
    named?: string,
  ): Promise<Record<string, unknown>>
}

/** The memory of a team server in this process, without its door. */
export async function openSharedDesk(
  database: SqlDatabase,
  embedder: () => Promise<Embedder | undefined>,
): Promise<SharedDesk> {
  const clock = systemClock
  await migrate(database, { clock })
  const [people, projects, jobs] = [
    openPeople(database),
    openTeamProjects(database),
    openPostgresJobs(database, { clock }),
  ]
  const memory = openTeamMemory({ database, clock, embedder, jobs, people })
  const operations = (await loadOperations()).filter(({ name }) => SERVED.has(name))
  const nothing = (): never => {
    throw new Error('no record here')
  }
  return {
    memory,
    jobs,
    async found(name) {
      const [organisation, person, project] = [clock.ulid(), clock.ulid(), clock.ulid()]
      const createdAt = clock.now().toISOString()
      const email = `${name.toLowerCase()}@example.com`
      await people.found(
        { id: organisation, name, createdAt },
        { id: person, organisation, email, name, role: 'admin', createdAt, leftAt: undefined },
        { first: false },
      )
      await projects.create({ id: project, organisation, name: 'shop', access: 'organisation', createdAt }, person)
      return { person, organisation, project }
    },
    async ask({ person, organisation }, name, input, named) {
      const operation = operations.find((one) => one.name === name)!
      const caller: Caller = {
        person,
        organisation,
        role: 'admin',
        through: 'token',
        scopes: ['read', 'write'],
        projects: undefined,
      }
      const ctx = teamContext(
        {
          clock,
          version: '0',
          redactor: secretRedactor,
          bundledEmbedder: embedder,
          projects,
          permissionOf: () => permissionOf(declaredBy(operation)),
          openRecord: nothing,
          openPast: nothing,
          openMemory: (project, whose) => memory.open(project, whose),
        },
        {
          caller,
          origin: { surface: 'http', user: person },
          projects: callerProjects(projects, { caller, publicUrl: 'https://ken.example.com', ...(named && { named }) }),
        },
      )
      return (await call(ctx, operation, input)).output
    },
  }
}
