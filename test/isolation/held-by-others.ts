import type { Team } from '../../src/app/team/open-team.ts'
import { AppError } from '../../src/kernel/domain/errors.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { bearerAccess } from '../../src/surfaces/http/oauth/bearer-access.ts'
import { livesAt } from '../../src/team/authenticate.ts'
import { openPostgresAuthorizations } from '../../src/team/authorizations/postgres/index.ts'
import { hashOfSecret } from '../../src/team/domain/token.ts'
import { openBrowserSessions } from '../../src/team/sign-in/browser-sessions.ts'
import { openPasskeyStore } from '../../src/team/sign-in/passkey-store.ts'
import type { PlantedCaller, World } from './tenants.ts'

/** Ids and secrets that a person holds besides tokens. */
export interface Held {
  readonly person: string
  readonly organisation: string
  readonly project: string
  readonly session: string
  readonly passkey: string
  readonly invitation: string
  readonly grant: string
  readonly access: string
  readonly token: string
}

const CLIENT = 'https://client.example/of.json'
const PUBLIC = 'https://ken.example.com'

/** Creates a session, a passkey, an invitation, a grant with its access token, and a token. */
export async function hold(database: SqlDatabase, team: Team, caller: PlantedCaller, world: World): Promise<Held> {
  const { person, organisation } = caller
  const { mark } = world.organisations.find(({ id }) => id === organisation)!
  const project = world.projects.find((one) => one.organisation === organisation)!.id
  const [session, passkey, invitation, grant] = Array.from({ length: 4 }, () => systemClock.ulid())
  const at = systemClock.now()
  const later = new Date(at.getTime() + 3_600_000)
  await openBrowserSessions(database).open(
    {
      id: session!,
      person,
      browser: mark,
      proof: 'code',
      enteredAt: at.toISOString(),
      usedAt: at.toISOString(),
      endsAt: later.toISOString(),
    },
    hashOfSecret(session!),
  )
  await openPasskeyStore(database).add({
    id: passkey!,
    person,
    name: mark,
    publicKey: new Uint8Array([1]),
    counter: 0,
    transports: [],
    createdAt: at.toISOString(),
    usedAt: undefined,
  })
  await team.invitations.invite({
    id: invitation!,
    organisation,
    email: `${invitation!.toLowerCase()}@${mark}.example`,
    role: 'member',
    invitedBy: person,
    createdAt: at.toISOString(),
    expiresAt: later.toISOString(),
  })
  const { authorizations } = openPostgresAuthorizations(database)
  await authorizations.offerCode(
    {
      id: grant!,
      person,
      client: CLIENT,
      clientName: mark,
      resource: `${PUBLIC}/mcp`,
      scopes: ['read'],
      projects: [project],
      isLasting: true,
      createdAt: at,
      endsAt: later,
    },
    { hash: systemClock.ulid(), challenge: 'c', redirectUri: 'http://127.0.0.1/', expiresAt: later },
  )
  const access = `access ${grant}`
  await authorizations.issue(
    grant!,
    {
      access: { hash: hashOfSecret(access), scopes: ['read'], expiresAt: later },
      refresh: { hash: hashOfSecret(`refresh ${grant}`), expiresAt: later },
    },
    at,
  )
  const [token] = await team.tokens.list(person)
  return {
    person,
    organisation,
    project,
    session: session!,
    passkey: passkey!,
    invitation: invitation!,
    grant: grant!,
    access,
    token: token!.id,
  }
}

/** Every call that ends, changes or lists sessions and credentials, made by one person with another person's ids. */
export function reachFor(
  database: SqlDatabase,
  team: Team,
  mine: Held,
): readonly ((theirs: Held) => Promise<unknown>)[] {
  const { authorizations } = openPostgresAuthorizations(database)
  const [sessions, passkeys] = [openBrowserSessions(database), openPasskeyStore(database)]
  const at = () => systemClock.now().toISOString()
  const { organisation, person } = mine
  const door = (isActive: boolean) =>
    bearerAccess({
      publicUrl: PUBLIC,
      store: openPostgresAuthorizations(database),
      clock: systemClock,
      isActive: async () => isActive,
    })
  return [
    ({ session }) => sessions.end(person, [session]),
    () => sessions.list(person, livesAt(systemClock.now())),
    ({ passkey }) => passkeys.remove(person, passkey),
    () => passkeys.list(person),
    ({ invitation }) => team.invitations.withdraw(organisation, invitation),
    () => team.invitations.list(organisation, at()),
    ({ grant }) => authorizations.revoke({ grant, person }),
    ({ access }) => authorizations.revoke({ token: hashOfSecret(access), client: 'https://another.example/client' }),
    () => authorizations.list(person, systemClock.now()),
    ({ token }) => team.tokens.revoke(person, [token], at()),
    () => team.tokens.list(person),
    ({ person: other }) => team.people.change(organisation, other, { name: 'taken', role: 'viewer' }),
    ({ person: other }) => team.people.leave(organisation, other, at()),
    () => team.people.list(organisation),
    ({ project }) => team.projects.change(organisation, project, { name: 'taken' }),
    ({ project }) => team.projects.standing(person, project),
    ({ project }) => team.projects.setMember(project, person, 'admin'),
    ({ person: other }) => team.projects.setMember(mine.project, other, 'viewer'),
    () => team.projects.list(person),
    ({ project }) =>
      team.tokens.add(
        {
          id: systemClock.ulid(),
          person,
          kind: 'personal',
          name: 'reach',
          scopes: ['read'],
          projects: [project],
          createdAt: at(),
          expiresAt: new Date(Date.now() + 60_000).toISOString(),
          usedAt: undefined,
          revokedAt: undefined,
        },
        systemClock.ulid(),
      ),
    ({ access }) => door(true).accessOf(`${access} `),
    ({ access }) => door(false).accessOf(access),
    ({ grant }) => door(true).accessOf(`refresh ${grant}`),
    () => door(true).accessOf(mine.access),
  ]
}

/** The result as JSON, or the error line. */
export const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => JSON.stringify(value) ?? 'nothing',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.line : `fault: ${String(thrown)}`),
  )
