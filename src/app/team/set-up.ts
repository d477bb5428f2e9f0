import { AppError } from '../../kernel/domain/errors.ts'
import { systemRandom } from '../../kernel/system/random.ts'
import { startRecord } from '../../record/start-record.ts'
import { emailAddress } from '../../team/domain/email-address.ts'
import type { Person, TeamProject } from '../../team/domain/person.ts'
import { issueToken } from '../../team/issue-token.ts'
import type { Team } from './open-team.ts'
import { auditServer } from './server-audit.ts'

export interface SetUpFlags {
  readonly organisation?: string
  readonly email?: string
  readonly project?: string
  /** Whether the server may have organisations already. */
  readonly another?: boolean
}

const TOKEN_DAYS = 30

/**
 * Creates an organisation and its first admin. The database must have no organisation yet, unless `another` is set.
 * Returns a report; the token in it is shown only once.
 */
export async function setUp(
  team: Team,
  { organisation, email, project, another = false }: SetUpFlags,
): Promise<string> {
  if (organisation === undefined || email === undefined)
    throw new AppError('invalid_input', '`ken server setup` needs --organisation and --email.')
  const { clock } = team.parts
  const createdAt = clock.now().toISOString()
  const place = { id: clock.ulid(), name: organisation, createdAt }
  const address = emailAddress(email)
  const admin: Person = {
    id: clock.ulid(),
    organisation: place.id,
    email: address,
    name: address,
    role: 'admin',
    createdAt,
    leftAt: undefined,
  }
  await team.people.found(place, admin, { first: !another })
  const made: TeamProject | undefined =
    project === undefined
      ? undefined
      : { id: clock.ulid(), organisation: place.id, name: project, access: 'organisation', createdAt }
  if (made !== undefined) {
    await team.projects.create(made, admin.id)
    const place = { mode: 'cloud', location: '', repositories: [], present: true } as const
    const origin = { surface: 'cli', user: admin.id } as const
    await startRecord({ clock, origin }, team.parts.openRecord({ id: made.id, name: made.name, ...place }))
  }
  const { secret } = await issueToken({ tokens: team.tokens, clock, chance: systemRandom }, admin.id, {
    kind: 'personal',
    name: 'made by ken server setup',
    scopes: ['read', 'write', 'admin'],
    projects: undefined,
    days: TOKEN_DAYS,
  })
  await auditServer(team.auditLog, clock, { operation: 'setup', organisation: place.id, subject: admin.id })
  return `${[
    `${address} is the first admin of ${organisation}.`,
    ...(made === undefined ? [] : [`Project ${made.name}: ${made.id}`]),
    `Token, for ${TOKEN_DAYS} days and shown this once: ${secret}`,
  ].join('\n')}\n`
}
