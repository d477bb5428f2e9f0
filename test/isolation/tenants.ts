import type { Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import { ACCESS, ROLES, SCOPES, type Access, type Role, type Scope } from '../../src/team/domain/role.ts'
import type { TokenKind } from '../../src/team/domain/token.ts'
import { issueToken } from '../../src/team/issue-token.ts'

/** A project: every text contains `mark`, which is never sent, and `topic`, which outsiders know. */
export interface PlantedProject {
  readonly id: string
  readonly organisation: string
  readonly name: string
  readonly access: Access
  readonly mark: string
  readonly topic: string
}

export interface PlantedCaller {
  readonly person: string
  readonly organisation: string
  readonly kind: TokenKind
  readonly secret: string
  readonly role: Role
  readonly scopes: readonly Scope[]
  /** Projects that the token itself is limited to, if any. */
  readonly projects: readonly string[] | undefined
  /** Ids of the projects that the caller may see, and of those it may change. */
  readonly sees: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
}

export interface PlantedOrganisation {
  readonly id: string
  readonly mark: string
  /** An admin's token with all permissions. */
  readonly key: string
}

export interface World {
  readonly organisations: readonly PlantedOrganisation[]
  readonly projects: readonly PlantedProject[]
  readonly callers: readonly PlantedCaller[]
}

export interface WorldSize {
  readonly organisations: number
  readonly projects: number
  readonly people: number
}

/** Random people in random organisations, with random roles, access, memberships and tokens. */
export async function plantWorld(team: Team, chance: () => number, size: WorldSize): Promise<World> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!
  const organisations: PlantedOrganisation[] = []
  const projects: PlantedProject[] = []
  const callers: PlantedCaller[] = []
  for (let at = 0; at < size.organisations; at++) {
    const mark = nextMark()
    const { id, admin } = await found(team, mark)
    const own: PlantedProject[] = []
    for (let count = 0; count < size.projects; count++) {
      const project: PlantedProject = {
        id: systemClock.ulid(),
        organisation: id,
        // The first project has the same name everywhere; the second is named like the id of another organisation's
        // project.
        name: count === 0 ? 'shop' : count === 1 && projects.length > 0 ? pick(projects).id : `${nextMark()} ledger`,
        access: pick(ACCESS),
        mark: nextMark(),
        topic: nextMark(),
      }
      await team.projects.create({ ...project, createdAt: now() }, admin)
      own.push(project)
    }
    projects.push(...own)
    organisations.push({
      id,
      mark,
      key: await token(team, admin, { kind: 'personal', scopes: SCOPES, projects: undefined }),
    })
    for (let count = 0; count < size.people; count++) callers.push(...(await addPerson(team, { id, mark, own, pick })))
  }
  return { organisations, projects, callers }
}

const now = (): string => systemClock.now().toISOString()

async function found(team: Team, mark: string): Promise<{ readonly id: string; readonly admin: string }> {
  const [id, admin, createdAt] = [systemClock.ulid(), systemClock.ulid(), now()]
  await team.people.found(
    { id, name: `${mark} Works`, createdAt },
    {
      id: admin,
      organisation: id,
      email: `admin@${mark}.example`,
      name: `Admin ${mark}`,
      role: 'admin',
      createdAt,
      leftAt: undefined,
    },
    { first: false },
  )
  return { id, admin }
}

async function addPerson(
  team: Team,
  {
    id: organisation,
    mark,
    own,
    pick,
  }: { id: string; mark: string; own: readonly PlantedProject[]; pick: <T>(from: readonly T[]) => T },
): Promise<readonly PlantedCaller[]> {
  const [role, person] = [pick(ROLES), systemClock.ulid()]
  const email = `${person.toLowerCase()}@${mark}.example`
  const expiresAt = new Date(systemClock.now().getTime() + 3_600_000).toISOString()
  const invitation = { id: person, organisation, email, role, invitedBy: undefined, createdAt: now(), expiresAt }
  await team.invitations.invite(invitation)
  await team.invitations.accept({ email, name: `Person ${mark}`, at: now() })
  const roles = new Map<string, Role>()
  for (const project of own) {
    const given = pick([undefined, undefined, ...ROLES])
    if (given !== undefined) await team.projects.setMember(project.id, person, given)
    const is = role === 'admin' ? 'admin' : (given ?? (project.access === 'organisation' ? role : undefined))
    if (is !== undefined) roles.set(project.id, is)
  }
  const callers: PlantedCaller[] = []
  for (const kind of ['personal', 'agent'] as const) {
    const reachable = [...roles.keys()]
    const projects = reachable.length > 0 && pick([true, false]) ? [pick(reachable)] : undefined
    const scopes = pick<readonly Scope[]>(
      kind === 'agent' ? [['read'], ['read', 'write']] : [['read'], ['write'], ['read', 'write'], SCOPES],
    )
    const sees = new Set(projects ?? reachable)
    const isWriter = (id: string): boolean => roles.get(id) !== 'viewer' && scopes.some((scope) => scope !== 'read')
    callers.push({
      person,
      organisation,
      role,
      kind,
      scopes,
      projects,
      sees,
      secret: await token(team, person, { kind, scopes, projects }),
      writes: new Set([...sees].filter(isWriter)),
    })
  }
  return callers
}

const token = async (
  team: Team,
  person: string,
  wanted: { kind: TokenKind; scopes: readonly Scope[]; projects: readonly string[] | undefined },
): Promise<string> =>
  (
    await issueToken({ tokens: team.tokens, clock: systemClock, chance: systemRandom }, person, {
      ...wanted,
      name: 'planted',
      days: 1,
    })
  ).secret

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'su'] as const
let marks = 0

/** A word that occurs nowhere else, and that no rule mistakes for a secret. */
const nextMark = (): string =>
  `quibble${String(++marks)
    .padStart(4, '0')
    .replaceAll(/\d/g, (digit) => SYLLABLES[Number(digit)]!)}`
