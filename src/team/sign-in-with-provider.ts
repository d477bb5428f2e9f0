import { AppError } from '../core/errors.ts'
import { opaqueSecret, SECRET_BYTES } from '../core/team/opaque-secret.ts'
import type { Person } from '../core/team/person.ts'
import { hashOfSecret } from '../core/team/token.ts'
import type { IdentityProvider, ProviderTrip } from '../ports/identity-provider.ts'
import type { Invitations } from '../ports/people.ts'
import type { AttemptLimits, OneTimeSecrets } from '../ports/sign-in.ts'
import { openSession, type OpenedSession, type SessionParts } from './open-session.ts'
import { nameFrom } from './sign-in-by-code.ts'

export interface ProviderParts extends SessionParts {
  readonly invitations: Invitations
  readonly secrets: OneTimeSecrets
  readonly limits: AttemptLimits
  readonly provider: IdentityProvider
}

const [TRIP, CHOICE] = ['provider trip', 'provider choice']
const LIVES_MS = 10 * 60_000
const MOST_PER_SOURCE = 100
const LIMIT_MINUTES = 60

/** The attempt is for a cookie of the browser that asked: nobody finishes the trip of somebody else. */
export async function askProvider(
  parts: ProviderParts,
  source: string,
): Promise<{ readonly url: string; readonly attempt: string }> {
  const bucket = { name: `provider from ${hashOfSecret(source)}`, most: MOST_PER_SOURCE }
  const now = parts.clock.now().toISOString()
  if (!(await parts.limits.count([bucket], { now, minutes: LIMIT_MINUTES })))
    throw new AppError('unavailable', 'There were too many tries to sign in.', { hint: 'Try again in an hour.' })
  const { url, trip } = await parts.provider.begin()
  return { url, attempt: await keep(parts, TRIP, trip) }
}

export type CameBack =
  | { readonly kind: 'in'; readonly person: Person; readonly opened: OpenedSession }
  /** The address is somebody's in several organisations: `choosePerson` with this attempt. */
  | { readonly kind: 'choose'; readonly people: readonly Person[]; readonly attempt: string }

/** Lets in whoever has the address that the provider vouches for, or was invited with it; it makes nobody. */
export async function comeBack(
  parts: ProviderParts,
  given: { readonly attempt: string; readonly query: string; readonly userAgent: string | null },
): Promise<CameBack> {
  const trip = (await take(parts, TRIP, given.attempt)) as ProviderTrip | undefined
  const found = trip === undefined ? undefined : await parts.provider.finish(given.query, trip)
  if (found === undefined) throw refused()
  const people = await peopleOf(parts, found.email)
  if (people.length > 1) return { kind: 'choose', people, attempt: await keep(parts, CHOICE, { email: found.email }) }
  return enter(parts, people[0], given.userAgent)
}

export async function choosePerson(
  parts: ProviderParts,
  given: { readonly attempt: string; readonly person: string; readonly userAgent: string | null },
): Promise<CameBack> {
  const kept = (await take(parts, CHOICE, given.attempt)) as { readonly email: string } | undefined
  const people = kept === undefined ? [] : await peopleOf(parts, kept.email)
  return enter(
    parts,
    people.find(({ id }) => id === given.person),
    given.userAgent,
  )
}

const peopleOf = ({ invitations, clock }: ProviderParts, email: string): Promise<readonly Person[]> =>
  invitations.accept({ email, name: nameFrom(email), at: clock.now().toISOString() })

async function enter(parts: ProviderParts, person: Person | undefined, userAgent: string | null): Promise<CameBack> {
  if (person === undefined) throw refused()
  return { kind: 'in', person, opened: await openSession(parts, { person: person.id, proof: 'provider', userAgent }) }
}

async function keep({ secrets, clock, chance }: ProviderParts, purpose: string, held: object): Promise<string> {
  const [attempt, now] = [opaqueSecret(chance.bytes(SECRET_BYTES)), clock.now()]
  const expiresAt = new Date(now.getTime() + LIVES_MS).toISOString()
  await secrets.keep({ hash: hashOfSecret(attempt), purpose, held, expiresAt }, now.toISOString())
  return attempt
}

const take = ({ secrets, clock }: ProviderParts, purpose: string, attempt: string): Promise<object | undefined> =>
  secrets.take(hashOfSecret(attempt.slice(0, 200)), purpose, clock.now().toISOString())

const refused = (): AppError =>
  new AppError('forbidden', 'The provider did not prove who you are, or nobody here has your address.', {
    hint: 'Ask an admin for an invitation to your address, or sign in with a code.',
  })
