import { parseArgs } from 'node:util'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { migrate } from '../../database/schema/migrate.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { systemRandom } from '../../kernel/system/random.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { emailAddress } from '../../team/domain/email-address.ts'
import type { Organisation, Person } from '../../team/domain/person.ts'
import { ROLES, SCOPES, type Role, type Scope } from '../../team/domain/role.ts'
import { invite } from '../../team/invite.ts'
import { issueToken } from '../../team/issue-token.ts'
import { openInvitations } from '../../team/people/invitations.ts'
import { openPeople } from '../../team/people/people.ts'
import { openTokens } from '../../team/people/tokens.ts'
import type { Invitations, People } from '../../team/ports/people.ts'
import type { Tokens } from '../../team/ports/tokens.ts'
import { nameFrom } from '../../team/resolve-identity.ts'
import type { Environment } from '../settings.ts'
import { neededOf } from './care-given.ts'
import { auditServer, type ServerDeed } from './server-audit.ts'
import { openMailer } from './sign-in-ways.ts'

export const PEOPLE_HELP = `  people          Who is there, and whom nobody has seen yet
  invite EMAIL    Lets somebody in; --role admin, member or viewer, member by default
  token EMAIL     A token for somebody who is there or invited, shown this once; --agent, --name, --days, --scopes
  token list EMAIL, token revoke EMAIL ID
                  Each of these takes --organisation where there are several
`

interface Said {
  readonly words: readonly string[]
  readonly flags: Readonly<Partial<Record<'organisation' | 'role' | 'name' | 'days' | 'scopes', string>>> & {
    readonly agent?: boolean
  }
  readonly environment: Environment
}

interface Desk {
  readonly people: People
  readonly invitations: Invitations
  readonly tokens: Tokens
  /** Records an audit event. */
  told(deed: ServerDeed): Promise<void>
}

/** A command, which parses its arguments first: opening a database migrates its tables. */
type Command = (said: Said) => (desk: Desk) => Promise<string>

const COMMANDS: Readonly<Record<string, Command>> = {
  people: listPeople,
  invite: inviteSomebody,
  token: (said) => (TOKEN_WORDS[said.words[0] ?? ''] ?? makeToken)(said),
}

const TOKEN_WORDS: typeof COMMANDS = { list: listTokens, revoke: revokeToken }

/**
 * Manages people and tokens, for an operator without a browser. Undefined if the first word is not one of these
 * commands.
 */
export async function peopleCommand(argv: readonly string[], environment: Environment): Promise<string | undefined> {
  const [word = ''] = argv
  if (!Object.hasOwn(COMMANDS, word)) return undefined
  const { values, positionals } = parseArgs({ args: argv.slice(1), options: OPTIONS, allowPositionals: true })
  const run = COMMANDS[word]!({ words: positionals, flags: values, environment })
  const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL') })
  try {
    await migrate(database, { clock: systemClock })
    const desk: Desk = {
      people: openPeople(database),
      invitations: openInvitations(database),
      tokens: openTokens(database),
      told: (deed) => auditServer(openAuditLog(database), systemClock, deed),
    }
    return `${await run(desk)}\n`
  } finally {
    await database.close()
  }
}

const OPTIONS = {
  organisation: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  days: { type: 'string' },
  scopes: { type: 'string' },
  agent: { type: 'boolean' },
} as const

function listPeople(said: Said): ReturnType<Command> {
  assertWords(said, 0, 'ken server people')
  return async (desk) => {
    const { id, name } = await organisationOf(desk, said)
    const people = (await desk.people.list(id)).filter(({ leftAt }) => leftAt === undefined)
    const invited = await desk.invitations.list(id, systemClock.now().toISOString())
    return [
      name,
      ...people.map(({ email, role }) => `  ${email}  ${role}`),
      ...invited.map(({ email, role, expiresAt }) => `  ${email}  ${role}, invited until ${expiresAt.slice(0, 10)}`),
    ].join('\n')
  }
}

function inviteSomebody(said: Said): ReturnType<Command> {
  assertWords(said, 1, 'ken server invite EMAIL')
  const { role = 'member' } = said.flags
  if (!isRole(role)) throw new AppError('invalid_input', `--role is one of ${ROLES.join(', ')}.`)
  const email = emailAddress(said.words[0]!)
  const publicUrl = neededOf(said.environment, 'KEN_PUBLIC_URL')
  return async (desk) => {
    const { id } = await organisationOf(desk, said)
    const mailer = await openMailer(said.environment, systemClock)
    try {
      const parts = { ...desk, clock: systemClock, mailer, limits: undefined, publicUrl }
      const { next, invitation } = await invite(parts, { organisation: id, by: undefined, email, role })
      await desk.told({ operation: 'people_invite', organisation: id, subject: invitation.id })
      return `${email} is invited as ${role}. ${next}`
    } finally {
      await mailer?.close()
    }
  }
}

const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

const USUAL_DAYS = 30

function makeToken(said: Said): ReturnType<Command> {
  assertWords(said, 1, 'ken server token EMAIL')
  const email = emailAddress(said.words[0]!)
  const { name = 'made by ken server token', days = String(USUAL_DAYS), scopes = 'read,write', agent } = said.flags
  const wanted = scopes.split(',')
  if (!wanted.every(isScope)) throw new AppError('invalid_input', `--scopes takes ${SCOPES.join(', ')}.`)
  return async (desk) => {
    const person = await personOf(desk, said, email)
    const { token, secret } = await issueToken({ ...desk, clock: systemClock, chance: systemRandom }, person.id, {
      kind: agent === true ? 'agent' : 'personal',
      name,
      scopes: wanted,
      projects: undefined,
      days: Number(days),
    })
    await desk.told({ operation: 'token_create', organisation: person.organisation, subject: token.id })
    return [
      `A token of ${person.email}, until ${token.expiresAt.slice(0, 10)}: ${token.id}`,
      `Its secret, shown this once: ${secret}`,
    ].join('\n')
  }
}

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

function listTokens(said: Said): ReturnType<Command> {
  assertWords(said, 2, 'ken server token list EMAIL')
  const email = emailAddress(said.words[1]!)
  return async (desk) => {
    const person = await personOf(desk, said, email)
    const now = systemClock.now().toISOString()
    const good = (await desk.tokens.list(person.id)).filter((one) => !one.revokedAt && one.expiresAt > now)
    return good.length === 0
      ? `${person.email} has no token.`
      : good
          .map(({ id, kind, name, expiresAt: end }) => `${id}  ${kind}  until ${end.slice(0, 10)}  ${name}`)
          .join('\n')
  }
}

function revokeToken(said: Said): ReturnType<Command> {
  assertWords(said, 3, 'ken server token revoke EMAIL ID')
  const email = emailAddress(said.words[1]!)
  return async (desk) => {
    const person = await personOf(desk, said, email)
    const id = said.words[2]!
    if (!(await desk.tokens.list(person.id)).some((token) => token.id === id))
      throw new AppError('not_found', `${person.email} has no token with this id.`)
    await desk.tokens.revoke(person.id, [id], systemClock.now().toISOString())
    await desk.told({ operation: 'token_revoke', organisation: person.organisation, subject: id })
    return 'It opens nothing any more.'
  }
}

async function organisationOf({ people }: Desk, { flags }: Said): Promise<Organisation> {
  const all = await people.organisations()
  const meant = all.filter(
    ({ id, name }) => flags.organisation === undefined || [id, name].includes(flags.organisation),
  )
  const [found, ...more] = meant
  if (found !== undefined && more.length === 0) return found
  if (all.length === 0)
    throw new AppError('not_found', 'No organisation exists yet.', { hint: 'Run `ken server setup` first.' })
  throw new AppError('invalid_input', 'Several organisations match.', {
    hint: `--organisation takes a name or an id: ${all.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
  })
}

/** Finds a person by address. The operator vouches for it: an invited person is admitted. */
async function personOf(desk: Desk, said: Said, email: string): Promise<Person> {
  const { id, name } = await organisationOf(desk, said)
  const at = systemClock.now().toISOString()
  const invited = (await desk.invitations.standingFor(email, at)).find(({ organisation }) => organisation === id)
  const all = invited
    ? await desk.invitations.accept({ email, name: nameFrom(email), at, only: invited.id })
    : await desk.people.withAddress(email)
  const found = all.find(({ organisation }) => organisation === id)
  if (found === undefined)
    throw new AppError('not_found', `No person in ${name} has the address ${email}.`, {
      hint: `Run \`ken server invite ${email}\` first.`,
    })
  return found
}

function assertWords({ words }: Said, count: number, usage: string): void {
  if (words.length !== count)
    throw new AppError('invalid_input', `It is \`${usage}\`.`, { hint: 'See `ken server --help`.' })
}
