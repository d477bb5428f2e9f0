import { AppError } from '../kernel/domain/errors.ts'
import { countAttempt } from './count-attempt.ts'
import type { Passkey } from './domain/passkey.ts'
import type { Person } from './domain/person.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret, SECRET_BYTES } from './opaque-secret.ts'
import { openSession, type OpenedSession, type SessionParts } from './open-session.ts'
import type { PasskeyCeremonies } from './ports/passkey-ceremonies.ts'
import type { People } from './ports/people.ts'
import type { AttemptLimits, OneTimeSecrets, PasskeyStore } from './ports/sign-in.ts'
import type { Claimed } from './sign-in-audit.ts'

export interface PasskeyParts extends SessionParts {
  readonly people: People
  readonly secrets: OneTimeSecrets
  readonly limits: AttemptLimits
  readonly passkeys: PasskeyStore
  readonly ceremonies: PasskeyCeremonies
}

/** The options for the page, and the attempt for a cookie of the requesting browser. */
export interface PasskeyAsked {
  readonly options: object
  readonly attempt: string
}

const [REGISTER, SIGN_IN] = ['passkey register', 'passkey sign in']
const LIVES_MS = 5 * 60_000
const MOST_PER_PERSON = 20
const MOST_PER_SOURCE = 100

/** Starts the registration of a passkey for a signed-in person. */
export async function askForPasskey(parts: PasskeyParts, person: string): Promise<PasskeyAsked> {
  const found = await parts.people.find(person)
  if (found === undefined || found.leftAt !== undefined) throw refused()
  const known = await parts.passkeys.list(person)
  if (known.length >= MOST_PER_PERSON)
    throw new AppError('conflict', `A person has at most ${MOST_PER_PERSON} passkeys.`, { hint: 'Remove one first.' })
  const { attempt, challenge } = await keepChallenge(parts, REGISTER, { person })
  return { attempt, options: await parts.ceremonies.askToRegister({ challenge, person: found, known }) }
}

export async function addPasskey(
  parts: PasskeyParts,
  given: { readonly person: string; readonly attempt: string; readonly response: unknown; readonly name: string },
): Promise<Passkey> {
  const kept = await takeChallenge(parts, REGISTER, given.attempt)
  if (kept === undefined || kept.person !== given.person) throw refused()
  const made = await parts.ceremonies.register(given.response, kept.challenge)
  if (made === undefined) throw refused()
  const createdAt = parts.clock.now().toISOString()
  const name = given.name.trim().slice(0, 100) || 'Passkey'
  const passkey = { ...made, person: given.person, name, createdAt, usedAt: undefined }
  await parts.passkeys.add(passkey)
  return passkey
}

/** Starts a sign-in with a passkey. Identical for everyone, because the owner of the passkey is not known yet. */
export async function askForSignature(parts: PasskeyParts, source: string): Promise<PasskeyAsked> {
  const bucket = { name: `passkey from ${hashOfSecret(source)}`, most: MOST_PER_SOURCE }
  await countAttempt(parts, [bucket])
  const { attempt, challenge } = await keepChallenge(parts, SIGN_IN, {})
  return { attempt, options: await parts.ceremonies.askToSignIn(challenge) }
}

export async function signInWithPasskey(
  parts: PasskeyParts,
  given: {
    readonly attempt: string
    readonly response: unknown
    readonly userAgent: string | null
    /** Receives the owner of the passkey. */
    claims?(who: Claimed): void
  },
): Promise<{ readonly person: Person; readonly opened: OpenedSession }> {
  const { ceremonies, passkeys, people, clock } = parts
  const kept = await takeChallenge(parts, SIGN_IN, given.attempt)
  const claimed = ceremonies.claimed(given.response)
  if (kept === undefined || claimed === undefined) throw refused()
  const passkey = await passkeys.find(claimed.id)
  if (passkey === undefined || passkey.person !== claimed.person) throw refused()
  given.claims?.({ person: passkey.person })
  const signed = await ceremonies.signIn(given.response, kept.challenge, passkey)
  if (signed === undefined) throw refused()
  if (!(await passkeys.use(passkey.id, signed.counter, clock.now().toISOString()))) throw refused()
  const person = await people.find(passkey.person)
  if (person === undefined || person.leftAt !== undefined) throw refused()
  return {
    person,
    opened: await openSession(parts, { person: person.id, proof: 'passkey', userAgent: given.userAgent }),
  }
}

async function keepChallenge(
  { secrets, clock, chance }: PasskeyParts,
  purpose: string,
  held: { readonly person?: string },
): Promise<{ readonly attempt: string; readonly challenge: Uint8Array }> {
  const [attempt, challenge, now] = [opaqueSecret(chance), chance.bytes(SECRET_BYTES), clock.now()]
  const expiresAt = new Date(now.getTime() + LIVES_MS).toISOString()
  const all = { ...held, challenge: [...challenge] }
  await secrets.keep({ hash: hashOfSecret(attempt), purpose, held: all, expiresAt }, now.toISOString())
  return { attempt, challenge }
}

async function takeChallenge(
  { secrets, clock }: PasskeyParts,
  purpose: string,
  attempt: string,
): Promise<{ readonly person?: string; readonly challenge: Uint8Array } | undefined> {
  const held = await secrets.take(hashOfSecret(attempt.slice(0, 200)), purpose, clock.now().toISOString())
  if (held === undefined) return undefined
  const { challenge, person } = held as { challenge: number[]; person?: string }
  return { challenge: Uint8Array.from(challenge), ...(person === undefined ? {} : { person }) }
}

const refused = (): AppError =>
  new AppError('forbidden', 'This passkey cannot be used here.', { hint: 'Try again, or sign in with a code.' })
