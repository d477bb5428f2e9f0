import { AppError } from '../kernel/domain/errors.ts'
import { isBrowserOf } from './authenticate-browser.ts'
import { countAttempt } from './count-attempt.ts'
import { emailAddress } from './domain/email-address.ts'
import type { Person } from './domain/person.ts'
import { isSameHash } from './domain/same-secret.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret } from './opaque-secret.ts'
import { openSession, type OpenedSession, type SessionParts } from './open-session.ts'
import type { Mailer } from './ports/mailer.ts'
import type { Invitations, People } from './ports/people.ts'
import type { AttemptLimits, OneTimeSecrets, SignInCodes } from './ports/sign-in.ts'
import { seatsOf, takeSeat, type Seat } from './resolve-identity.ts'
import type { Claimed } from './sign-in-audit.ts'

export interface CodeParts extends SessionParts {
  readonly people: People
  readonly invitations: Invitations
  readonly codes: SignInCodes
  readonly limits: AttemptLimits
  readonly secrets: OneTimeSecrets
  readonly mailer: Mailer
}

const DIGITS = 8
const LIVES_MS = 10 * 60_000
const MOST_TRIES = 5
/**
 * Per hour. Unknown browsers together cannot flood a mailbox, each of them can use up only a small part of their limit,
 * and known browsers have a separate limit. With eight digits and five tries per code, unknown browsers get 60 guesses
 * in 100 million per address and hour.
 */
const MOST_FROM_STRANGERS = 12
const MOST_FROM_ONE = 5
const MOST_FROM_KNOWN = 5
const MOST_PER_SOURCE = 30
const MOST_ENTRIES_PER_SOURCE = 100

export interface AskedCode {
  /** For a cookie of the requesting browser: the code works only with it. */
  readonly attempt: string
  /** Call this after the response is sent, and do not await it: its duration reveals whether the address is known. */
  deliver(): Promise<void>
}

/** Sends a code to an address that a person has or was invited with. Behaves the same for every other address. */
export async function askForCode(
  parts: CodeParts,
  asked: {
    readonly email: string
    readonly source: string
    /** The cookie of a browser in which someone has signed in before. */
    readonly known?: string | undefined
  },
): Promise<AskedCode> {
  const { people, invitations, codes, clock, chance, mailer } = parts
  const email = emailAddress(asked.email)
  const time = clock.now()
  const now = time.toISOString()
  const isKnownBrowser = asked.known !== undefined && (await isBrowserOf(parts, asked.known, email))
  await assertMayAsk(parts, { email, source: asked.source, isKnownBrowser })
  const [there, invited] = [await people.withAddress(email), await invitations.standingFor(email, now)]
  const [attempt, code] = [opaqueSecret(chance), chance.digits(DIGITS)]
  const isKnown = there.length + invited.length > 0
  await codes.keep(
    {
      hash: hashOfSecret(attempt),
      email,
      // No code matches an unknown address: its seal uses a secret that is discarded.
      seal: sealOf(isKnown ? attempt : opaqueSecret(chance), code),
      expiresAt: new Date(time.getTime() + LIVES_MS).toISOString(),
    },
    now,
  )
  return { attempt, deliver: async () => (isKnown ? mailer.send(codeMail(email, code)) : undefined) }
}

export type Entered =
  | {
      readonly kind: 'in'
      readonly person: Person
      readonly opened: OpenedSession
      /** The accepted invitation. */
      readonly invitation?: string
    }
  /** The address has several seats: enter the code again with the chosen one. */
  | { readonly kind: 'choose'; readonly seats: readonly Seat[] }

/** Redeems a code. Every refusal is identical. */
export async function enterCode(
  parts: CodeParts,
  entered: {
    readonly attempt: string
    readonly code: string
    readonly source: string
    readonly userAgent: string | null
    /** Id of the seat. */
    readonly chosen?: string
    /** Receives the address that the code belongs to. */
    claims?(who: Claimed): void
  },
): Promise<Entered> {
  const { codes, clock } = parts
  await countAttempt(parts, [{ name: `entry from ${hashOfSecret(entered.source)}`, most: MOST_ENTRIES_PER_SOURCE }])
  const now = clock.now().toISOString()
  const hash = hashOfSecret(entered.attempt.slice(0, 200))
  const kept = await codes.try(hash, { now, most: MOST_TRIES })
  if (kept !== undefined) entered.claims?.({ email: kept.email })
  const seal = sealOf(entered.attempt, entered.code.replaceAll(/[\s-]/g, '').slice(0, 50))
  if (kept === undefined || !isSameHash(seal, kept.seal)) throw refused()
  const [seat, ...more] = await seatsOf(parts, kept.email, entered.chosen)
  if (seat !== undefined && more.length > 0) return { kind: 'choose', seats: [seat, ...more] }
  if (seat === undefined || !(await codes.spend(hash))) throw refused()
  const person = await takeSeat(parts, kept.email, seat)
  if (person === undefined) throw refused()
  const opened = await openSession(parts, { person: person.id, proof: 'code', userAgent: entered.userAgent })
  return { kind: 'in', person, opened, ...(seat.isInvitation && { invitation: seat.id }) }
}

/**
 * The stored form of a code. The attempt is not in the table, so a reader of the table cannot try a hundred million
 * codes.
 */
const sealOf = (attempt: string, code: string): string => hashOfSecret(`${attempt} ${code}`)

/**
 * A source over its limit is refused before it counts towards the address; otherwise it would use up the limit for
 * everyone else.
 */
async function assertMayAsk(
  parts: Pick<CodeParts, 'limits' | 'clock'>,
  {
    email,
    source,
    isKnownBrowser,
  }: { readonly email: string; readonly source: string; readonly isKnownBrowser: boolean },
): Promise<void> {
  // Bucket names with an address end with its hash, so that they are found when a person is forgotten.
  const [to, from] = [hashOfSecret(email), hashOfSecret(source)]
  const ofSource = { name: `code from ${from}`, most: MOST_PER_SOURCE }
  if (isKnownBrowser) return countAttempt(parts, [ofSource, { name: `known code to ${to}`, most: MOST_FROM_KNOWN }])
  await countAttempt(parts, [ofSource, { name: `code from ${from} to ${to}`, most: MOST_FROM_ONE }])
  await countAttempt(parts, [{ name: `code to ${to}`, most: MOST_FROM_STRANGERS }])
}

const refused = (): AppError =>
  new AppError('forbidden', 'This code is wrong or has expired.', {
    hint: 'Ask for a new one, and use it within ten minutes.',
  })

const codeMail = (to: string, code: string) => ({
  to,
  subject: 'Your code for Ken',
  text: `Your code is ${code.slice(0, 4)} ${code.slice(4)}.\n\nIt works for ten minutes, in the browser that asked for it. If that was not you, there is nothing to do.\n`,
})
