import { callerProjects } from '../src/app/team/caller-projects.ts'
import { openTeamOn, type Team } from '../src/app/team/open-team.ts'
import { deskOf } from '../src/app/team/serve-team.ts'
import { teamContext } from '../src/app/team/team-context.ts'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { call } from '../src/operations/call.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import type { Caller } from '../src/team/domain/may.ts'
import { SCOPES, type Role } from '../src/team/domain/role.ts'

export interface SharedDesk extends Pick<Team, 'memory' | 'contexts'> {
  readonly jobs: Team['work']['jobs']
  /** Creates a person with a new organisation and a project in it. */
  found(name: string): Promise<{ person: string; organisation: string; project: string }>
  /** Adds another person to an organisation. */
  join(organisation: string, name: string, role: Role): Promise<{ person: string; organisation: string }>
  /** Calls an operation as a team server does. */
  ask(
    who: { readonly person: string; readonly organisation: string },
    operation: string,
    input: Readonly<Record<string, unknown>>,
    named?: string,
  ): Promise<Record<string, unknown>>
  /** Also closes the database. */
  close(): Promise<void>
}

const publicUrl = 'https://ken.example.com'

/** The memory of a team server in this process, without HTTP. */
export async function openSharedDesk(
  database: SqlDatabase,
  embedder: () => Promise<Embedder | undefined>,
  environment: Readonly<Record<string, string>> = {},
): Promise<SharedDesk> {
  const clock = systemClock
  const team = await openTeamOn(database, { clock, embedder, environment })
  return {
    memory: team.memory,
    contexts: team.contexts,
    jobs: team.work.jobs,
    close: () => team.close(),
    async found(name) {
      const [organisation, person, project] = [clock.ulid(), clock.ulid(), clock.ulid()]
      const createdAt = clock.now().toISOString()
      const email = `${name.toLowerCase()}@example.com`
      await team.people.found(
        { id: organisation, name, createdAt },
        { id: person, organisation, email, name, role: 'admin', createdAt, leftAt: undefined },
        { first: false },
      )
      await team.projects.create({ id: project, organisation, name: 'shop', access: 'organisation', createdAt }, person)
      return { person, organisation, project }
    },
    async join(organisation, name, role) {
      const [id, email, at] = [clock.ulid(), `${name.toLowerCase()}@example.com`, clock.now().toISOString()]
      const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
      await team.invitations.invite({ id, organisation, email, role, invitedBy: undefined, createdAt: at, expiresAt })
      const [joined] = await team.invitations.accept({ email, name, at })
      return { person: joined!.id, organisation }
    },
    async ask({ person, organisation }, name, input, named) {
      const operation = team.operations.find((one) => one.name === name)!
      const caller: Caller = {
        person,
        organisation,
        role: 'admin',
        through: 'token',
        scopes: SCOPES,
        projects: undefined,
      }
      const ctx = teamContext(
        { ...team.parts, redactor: secretRedactor, desk: deskOf(team, { publicUrl }) },
        {
          caller,
          origin: { surface: 'http', user: person },
          projects: callerProjects(team.projects, { caller, publicUrl, ...(named && { named }) }),
        },
      )
      return (await call(ctx, operation, input)).output
    },
  }
}
