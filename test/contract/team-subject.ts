import { systemClock } from '../../src/kernel/system/clock.ts'
import type { Person, TeamProject } from '../../src/team/domain/person.ts'
import type { Role } from '../../src/team/domain/role.ts'
import type { Authorizations } from '../../src/team/ports/authorizations.ts'
import type { Invitations, People } from '../../src/team/ports/people.ts'
import type {
  AttemptLimits,
  BrowserSessions,
  OneTimeSecrets,
  PasskeyStore,
  SignInCodes,
} from '../../src/team/ports/sign-in.ts'
import type { TeamProjects } from '../../src/team/ports/team-projects.ts'
import type { Tokens } from '../../src/team/ports/tokens.ts'

/**
 * A team server back end's data about people. All suites may share one back end: each test has separate organisations.
 */
export interface TeamPorts {
  readonly people: People
  readonly invitations: Invitations
  readonly projects: TeamProjects
  readonly tokens: Tokens
  readonly sessions: BrowserSessions
  readonly codes: SignInCodes
  readonly limits: AttemptLimits
  readonly secrets: OneTimeSecrets
  readonly passkeys: PasskeyStore
  readonly authorizations: Authorizations
}

export const id = (): string => systemClock.ulid()
/** Minutes after the common start time of these tests. */
export const at = (minutes: number): string => new Date(Date.UTC(2026, 2, 1, 9, minutes)).toISOString()

/** Creates an organisation with an admin; returns the admin. */
export async function anAdmin({ people }: TeamPorts): Promise<Person> {
  const [organisation, person] = [id(), id()]
  const admin: Person = {
    id: person,
    organisation,
    email: `${person.toLowerCase()}@example.com`,
    name: 'Admin',
    role: 'admin',
    createdAt: at(0),
    leftAt: undefined,
  }
  await people.found({ id: organisation, name: 'One', createdAt: at(0) }, admin, { first: false })
  return admin
}

/** Another person who joined an organisation by invitation. */
export async function aPerson({ invitations }: TeamPorts, organisation: string, role: Role): Promise<Person> {
  const invited = id()
  const email = `${invited.toLowerCase()}@example.com`
  await invitations.invite({
    id: invited,
    organisation,
    email,
    role,
    invitedBy: undefined,
    createdAt: at(0),
    expiresAt: at(60),
  })
  const [person] = await invitations.accept({ email, name: role, at: at(1) })
  return person!
}

export async function aProject(
  { projects }: TeamPorts,
  creator: Person,
  access: TeamProject['access'] = 'organisation',
): Promise<TeamProject> {
  const own = id()
  const project = { id: own, organisation: creator.organisation, name: `Project ${own}`, access, createdAt: at(0) }
  await projects.create(project, creator.id)
  return project
}
