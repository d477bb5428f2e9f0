import { AppError } from '../kernel/domain/errors.ts'
import { emailAddress } from './domain/email-address.ts'
import type { Person } from './domain/person.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret } from './opaque-secret.ts'
import { openSession, type OpenedSession, type SessionParts } from './open-session.ts'
import type { People } from './ports/people.ts'
import type { OneTimeSecrets } from './ports/sign-in.ts'

export interface FirstStartParts extends SessionParts {
  readonly people: People
  readonly secrets: OneTimeSecrets
}

const PURPOSE = 'setup'
const LIVES_MS = 24 * 60 * 60_000

/**
 * The code with which the first admin signs in, to be printed where only the operator of the server can read it;
 * undefined once there is a person. Every process that starts may print its own: the first code used invalidates all.
 */
export async function setupCode({ people, secrets, clock, chance }: FirstStartParts): Promise<string | undefined> {
  if (!(await people.isEmpty())) return undefined
  const [now, code] = [clock.now(), opaqueSecret(chance)]
  const expiresAt = new Date(now.getTime() + LIVES_MS).toISOString()
  await secrets.keep({ hash: hashOfSecret(code), purpose: PURPOSE, held: {}, expiresAt }, now.toISOString())
  return code
}

/** Creates the first organisation and signs its admin in. */
export async function claimServer(
  parts: FirstStartParts,
  claim: {
    readonly code: string
    readonly organisation: string
    readonly email: string
    readonly name: string
    readonly userAgent: string | null
  },
): Promise<{ readonly person: Person; readonly opened: OpenedSession }> {
  const { people, secrets, clock } = parts
  const [email, name, organisation] = [emailAddress(claim.email), claim.name.trim(), claim.organisation.trim()]
  for (const said of [name, organisation])
    if (said === '' || said.length > 200) throw new AppError('invalid_input', 'A name has 1 to 200 characters.')
  const now = clock.now().toISOString()
  if ((await secrets.take(hashOfSecret(claim.code.slice(0, 200)), PURPOSE, now)) === undefined)
    throw new AppError('forbidden', 'This code is wrong or has expired.', {
      hint: 'Restart the server to create a new one.',
    })
  const [organisationId, id] = [clock.ulid(), clock.ulid()]
  const person: Person = {
    id,
    organisation: organisationId,
    email,
    name,
    role: 'admin',
    createdAt: now,
    leftAt: undefined,
  }
  await people.found({ id: organisationId, name: organisation, createdAt: now }, person, { first: true })
  return { person, opened: await openSession(parts, { person: id, proof: 'setup', userAgent: claim.userAgent }) }
}
