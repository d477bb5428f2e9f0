import { AppError } from '../kernel/domain/errors.ts'
import { countAttempt } from './count-attempt.ts'
import type { Person } from './domain/person.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret } from './opaque-secret.ts'
import { openSession, type OpenedSession, type SessionParts } from './open-session.ts'
import type { IdentityProvider, ProviderTrip } from './ports/identity-provider.ts'
import type { Invitations, People } from './ports/people.ts'
import type { AttemptLimits, OneTimeSecrets } from './ports/sign-in.ts'
import { seatsOf, takeSeat, type Seat } from './resolve-identity.ts'

export interface ProviderParts extends SessionParts {
  readonly people: People
  readonly invitations: Invitations
  readonly secrets: OneTimeSecrets
  readonly limits: AttemptLimits
  readonly provider: IdentityProvider
}

const [TRIP, CHOICE] = ['provider trip', 'provider choice']
const LIVES_MS = 10 * 60_000
const MOST_PER_SOURCE = 100

/** `attempt` is for a cookie of the requesting browser: only that browser can finish the sign-in. */
export async function askProvider(
  parts: ProviderParts,
  source: string,
): Promise<{ readonly url: string; readonly attempt: string }> {
  const bucket = { name: `provider from ${hashOfSecret(source)}`, most: MOST_PER_SOURCE }
  await countAttempt(parts, [bucket])
  const { url, trip } = await parts.provider.begin()
  return { url, attempt: await keep(parts, TRIP, trip) }
}

export type CameBack =
  | {
      readonly kind: 'in'
      readonly person: Person
      readonly opened: OpenedSession
      /** The accepted invitation. */
      readonly invitation?: string
    }
  /** The address has several seats: call `choosePerson` with this attempt. */
  | { readonly kind: 'choose'; readonly seats: readonly Seat[]; readonly attempt: string }

/**
 * Signs in the person who has the address confirmed by the provider, or was invited with it; creates no other people.
 */
export async function comeBack(
  parts: ProviderParts,
  given: { readonly attempt: string; readonly query: string; readonly userAgent: string | null },
): Promise<CameBack> {
  const trip = (await take(parts, TRIP, given.attempt)) as ProviderTrip | undefined
  const found = trip === undefined ? undefined : await parts.provider.finish(given.query, trip)
  if (found === undefined) throw refused()
  const { email } = found
  const seats = await seatsOf(parts, email, undefined)
  if (seats.length > 1) return { kind: 'choose', seats, attempt: await keep(parts, CHOICE, { email }) }
  return enter(parts, { email, seat: seats[0], userAgent: given.userAgent })
}

export async function choosePerson(
  parts: ProviderParts,
  given: { readonly attempt: string; readonly chosen: string; readonly userAgent: string | null },
): Promise<CameBack> {
  const kept = (await take(parts, CHOICE, given.attempt)) as { readonly email: string } | undefined
  if (kept === undefined) throw refused()
  const [seat] = await seatsOf(parts, kept.email, given.chosen)
  return enter(parts, { email: kept.email, seat, userAgent: given.userAgent })
}

async function enter(
  parts: ProviderParts,
  {
    email,
    seat,
    userAgent,
  }: { readonly email: string; readonly seat: Seat | undefined; readonly userAgent: string | null },
): Promise<CameBack> {
  const person = seat && (await takeSeat(parts, email, seat))
  if (seat === undefined || person === undefined) throw refused()
  const opened = await openSession(parts, { person: person.id, proof: 'provider', userAgent })
  return { kind: 'in', person, opened, ...(seat.isInvitation && { invitation: seat.id }) }
}

async function keep({ secrets, clock, chance }: ProviderParts, purpose: string, held: object): Promise<string> {
  const [attempt, now] = [opaqueSecret(chance), clock.now()]
  const expiresAt = new Date(now.getTime() + LIVES_MS).toISOString()
  await secrets.keep({ hash: hashOfSecret(attempt), purpose, held, expiresAt }, now.toISOString())
  return attempt
}

const take = ({ secrets, clock }: ProviderParts, purpose: string, attempt: string): Promise<object | undefined> =>
  secrets.take(hashOfSecret(attempt.slice(0, 200)), purpose, clock.now().toISOString())

const refused = (): AppError =>
  new AppError('forbidden', 'Sign-in failed, or no person here has your address.', {
    hint: 'Ask an admin for an invitation to your address, or sign in with a code.',
  })
